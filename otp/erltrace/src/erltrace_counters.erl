%% Counters of the VM (call_count) for one script, whose agent calls this.
%%
%% A counter costs a call a few nanoseconds and tells how often the function was called, by whomever. So it serves where
%% a script only counts calls (c_src/counted.h), and where erltrace itself makes none: it calls nothing but functions of
%% erts, kernel and stdlib, which get events instead. The counters are in a trace session of the agent, which OTP has
%% from 27 on. Nobody else sees or changes them, and they end with the agent, however it ends. Before that they would be
%% the node's, and another tool's (cprof) too.
%%
%% The VM forgets the counters of code that is replaced. So they are read when new code is being prepared, and set again
%% when it is there.
-module(erltrace_counters).

-export([ours/0, start/1, read/1, read/2, again/2, stop/1]).
-export_type([state/0]).

-record(counters, {session :: erltrace_session:session(),
                   modules :: #{module() => [counter()]}}).
%% The function, the indexes of its probes, and what was read last.
-type counter() :: {mfa(), [non_neg_integer()], non_neg_integer()}.
-type counts() :: [{Index :: non_neg_integer(), Calls :: pos_integer()}].
-opaque state() :: #counters{}.

%% The modules whose functions erltrace itself calls; none if this OTP has no counters for us.
-spec ours() -> #{module() => true} | none.
ours() ->
    case erltrace_session:is_separate() andalso [application:get_key(App, modules) || App <- [kernel, stdlib]] of
        [{ok, Kernel}, {ok, Stdlib}] -> maps:from_list([{M, true} || M <- erlang:pre_loaded() ++ Kernel ++ Stdlib]);
        _ -> none
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
    Session = erltrace_session:new_counters(),
    erltrace_session:collect(fun({M, Its}) -> set(Session, M, [MFA || {MFA, _, _} <- Its]), [] end, maps:to_list(Modules)),
    #counters{session = Session, modules = Modules}.

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
read(#counters{session = Session, modules = Modules} = S) ->
    Read = erltrace_session:collect(fun({M, Its}) -> [{M, read_each(Session, Its)}] end, maps:to_list(Modules)),
    {lists:append([Counts || {_, {Counts, _}} <- Read]), S#counters{modules = maps:from_list([{M, Now} || {M, {_, Now}} <- Read])}}.

-spec read(module(), state()) -> {counts(), state()}.
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
                    N when is_integer(N), N > Before -> {[{I, N - Before} || I <- Indexes] ++ Counts, [{MFA, Indexes, N} | Now]};
                    _ -> {Counts, [Counter | Now]}
                end
        end,
        {[], []},
        Its).

%% A module was loaded, perhaps again; undefined if it is not known which. Counters that are still there go on.
-spec again(module() | undefined, state()) -> state().
again(Loaded, #counters{session = Session, modules = Modules} = S) ->
    S#counters{modules = maps:map(fun(M, Its) when M =:= Loaded; Loaded =:= undefined -> set_again(Session, M, Its);
                                     (_, Its) -> Its
                                  end,
                                  Modules)}.

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
stop(#counters{session = Session}) ->
    erltrace_session:destroy(Session).
