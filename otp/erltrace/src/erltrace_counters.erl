%% Counters of the VM (call_count) for one script, whose agent calls this.
%%
%% A counter costs a call a few nanoseconds and tells how often the function was called, by whomever. So it serves where
%% a script only counts calls (c_src/counted.h). erltrace's own processes are hidden from it (erltrace_session:hide/0).
%% The counters are in a trace session of the agent, which OTP has from 27 on. Nobody else sees or changes them, and they
%% end with the agent, however it ends. Before that they would be the node's, and another tool's (cprof) too.
%%
%% The VM forgets the counters of code that is replaced. So they are read when new code is being prepared, and set again
%% when it is there.
-module(erltrace_counters).

-export([ours/0, start/1, pause/1, resume/1, are_set/1, read/1, read/2, again/2, stop/1]).
-export_type([state/0]).

-define(AT_ONCE, 50000). % functions: some 25 ms

-record(counters, {session :: erltrace_session:session() | undefined, % undefined: they are not set
                   modules :: #{module() => [counter()]}}). % sorted
%% The function, the indexes of its probes, and what was read last.
-type counter() :: {mfa(), [non_neg_integer()], non_neg_integer()}.
-type counts() :: [{Index :: non_neg_integer(), mfa(), Calls :: pos_integer()}].
-opaque state() :: #counters{}.

%% The modules whose functions cannot be counted, because our own calls of them would be counted too; `all` if this OTP
%% has no counters for us. Called by a hidden process.
-spec ours() -> #{module() => true} | all.
ours() ->
    case erltrace_session:is_separate() of
        true -> case erltrace_session:are_hidden_uncounted() of true -> #{}; false -> called() end;
        false -> all
    end.

%% erltrace itself calls nothing else.
called() ->
    case [application:get_key(App, modules) || App <- [kernel, stdlib]] of
        [{ok, Kernel}, {ok, Stdlib}] -> maps:from_list([{M, true} || M <- erlang:pre_loaded() ++ Kernel ++ Stdlib]);
        _ -> all
    end.

-spec start([{mfa(), Index :: non_neg_integer()}]) -> state().
start(Functions) ->
    ByFunction = lists:foldl(
                     fun({MFA, Index}, Acc) -> maps:update_with(MFA, fun(More) -> [Index | More] end, [Index], Acc) end,
                     #{},
                     Functions),
    Modules = maps:fold(
                  fun({M, _, _} = MFA, Indexes, Acc) ->
                          New = {MFA, Indexes, 0},
                          maps:update_with(M, fun(More) -> [New | More] end, [New], Acc)
                  end,
                  #{},
                  ByFunction),
    resume(#counters{modules = maps:map(fun(_, Its) -> lists:sort(Its) end, Modules)}).

%% The counters are removed; what they have is to be read before.
-spec pause(state()) -> state().
pause(#counters{session = Session, modules = Modules} = S) ->
    erltrace_session:destroy(Session),
    S#counters{session = undefined, modules = maps:map(fun(_, Its) -> [{MFA, Indexes, 0} || {MFA, Indexes, _} <- Its] end, Modules)}.

%% They are set again, and begin with 0.
-spec resume(state()) -> state().
resume(#counters{session = undefined, modules = Modules} = S) ->
    Session = erltrace_session:new_counters(),
    case others(Modules) of
        {few, Others} ->
            erltrace_session:count(Session, {'_', '_', '_'}, true),
            erltrace_session:collect(fun(Other) -> erltrace_session:count(Session, Other, false), [] end, Others);
        many ->
            erltrace_session:collect(fun({M, Its}) -> set(Session, M, [MFA || {MFA, _, _} <- Its]), [] end, maps:to_list(Modules))
    end,
    S#counters{session = Session}.

-spec are_set(state()) -> boolean().
are_set(#counters{session = Session}) ->
    Session =/= undefined.

%% Returns patterns for what is loaded and not to be counted, if they are few: modules that were loaded since the script
%% began, for example. They are many if setting each module that is to be counted takes fewer, or if everything is too much
%% to be set at once. erltrace's own functions may be counted, because nobody else calls them.
others(Modules) ->
    Loaded = [M || M <- erlang:loaded(), not lists:prefix("erltrace", atom_to_list(M))],
    case length(Loaded) < 2 * map_size(Modules) of
        true -> others([{M, functions(M)} || M <- Loaded], Modules);
        false -> many
    end.

others(Loaded, Modules) ->
    Others = lists:append([others_of(One, Modules) || One <- Loaded]),
    Functions = lists:sum([length(Its) || {_, Its} <- Loaded]),
    case length(Others) < map_size(Modules) andalso Functions =< ?AT_ONCE of
        true -> {few, Others};
        false -> many
    end.

others_of({M, Functions}, Modules) ->
    case Modules of
        #{M := Its} -> ordsets:subtract(Functions, ordsets:from_list([MFA || {MFA, _, _} <- Its]));
        _ -> [{M, '_', '_'}]
    end.

%% Each pattern that is set makes all schedulers take notice. So a whole module is set at once if that takes fewer.
set(Session, Module, MFAs) ->
    Wanted = ordsets:from_list(MFAs),
    All = functions(Module),
    Others = ordsets:subtract(All, Wanted),
    case length(Others) + 1 < length(Wanted) of
        true ->
            erltrace_session:count(Session, {Module, '_', '_'}, true),
            lists:foreach(fun(MFA) -> erltrace_session:count(Session, MFA, false) end, Others);
        false ->
            lists:foreach(fun(MFA) -> erltrace_session:count(Session, MFA, true) end, Wanted)
    end.

functions(Module) ->
    try ordsets:from_list([{Module, F, A} || {F, A} <- erlang:get_module_info(Module, functions)])
    catch error:_ -> []
    end.

%% The calls since the last time.
-spec read(state()) -> {counts(), state()}.
read(#counters{session = undefined} = S) ->
    {[], S};
read(#counters{session = Session, modules = Modules} = S) ->
    Read = erltrace_session:collect(fun({M, Its}) -> [{M, read_each(Session, Its)}] end, maps:to_list(Modules)),
    {lists:append([Counts || {_, {Counts, _}} <- Read]), S#counters{modules = maps:from_list([{M, Now} || {M, {_, Now}} <- Read])}}.

-spec read(module(), state()) -> {counts(), state()}.
read(_, #counters{session = undefined} = S) ->
    {[], S};
read(Module, #counters{session = Session, modules = Modules} = S) ->
    case Modules of
        #{Module := Its} ->
            {Counts, Now} = read_each(Session, Its),
            {Counts, S#counters{modules = Modules#{Module := Now}}};
        _ ->
            {[], S}
    end.

read_each(Session, Its) ->
    lists:foldr(
        fun({MFA, Indexes, Before} = Counter, {Counts, Now}) ->
                case erltrace_session:counted(Session, MFA) of
                    N when is_integer(N), N > Before -> {[{I, MFA, N - Before} || I <- Indexes] ++ Counts, [{MFA, Indexes, N} | Now]};
                    _ -> {Counts, [Counter | Now]}
                end
        end,
        {[], []},
        Its).

%% A module was loaded, perhaps again; undefined if it is not known which. Counters that are still there go on.
-spec again(module() | undefined, state()) -> state().
again(_, #counters{session = undefined} = S) ->
    S;
again(undefined, #counters{session = Session, modules = Modules} = S) ->
    S#counters{modules = maps:map(fun(M, Its) ->
                                          case has_counters(Session, Its) of
                                              true -> Its;
                                              false -> set_again(Session, M, Its)
                                          end
                                  end,
                                  Modules)};
again(Module, #counters{session = Session, modules = Modules} = S) ->
    case Modules of
        #{Module := Its} -> S#counters{modules = Modules#{Module := set_again(Session, Module, Its)}};
        _ -> S
    end.

%% Returns whether a module's code is that in which its counters were set. There may be very many functions, so only the
%% first is asked: it was also the first to get its counter, so if the code was replaced meanwhile it has none.
has_counters(Session, [{First, _, _} | _]) ->
    is_integer(erltrace_session:counted(Session, First)).

set_again(Session, Module, Its) ->
    case [MFA || {MFA, _, _} <- Its, not is_integer(erltrace_session:counted(Session, MFA))] of
        [] ->
            Its;
        Gone when length(Gone) =:= length(Its) ->
            set(Session, Module, Gone),
            [{MFA, Indexes, 0} || {MFA, Indexes, _} <- Its];
        Gone -> % functions that the new code does not have
            Its0 = [{MFA, Indexes, case lists:member(MFA, Gone) of true -> 0; false -> N end} || {MFA, Indexes, N} <- Its],
            lists:foreach(fun(MFA) -> erltrace_session:count(Session, MFA, true) end, Gone),
            Its0
    end.

-spec stop(state()) -> ok.
stop(#counters{session = undefined}) ->
    ok;
stop(#counters{session = Session}) ->
    erltrace_session:destroy(Session).
