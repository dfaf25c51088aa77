%% Trace patterns: on functions that scripts name, on the few that have probes
%% of their own (c_src/special.h), and on sending and receiving.
-module(erltrace_patterns).

-export([new/1, are_patterns/1, update/3, kept/3, again/2, remove/2, touched/3, clear/1, natives/0]).
-export_type([pattern/0, state/0]).

%% What the match specification must tell: caller (who called), stack (of the caller, from OTP 26 on), exception (how it ended), return (the value; breaks
%% tail calls of that function), {special, What}.
-type want() :: caller | stack | exception | return | {special, atom()}.
-type pattern() :: {mfa() | {atom(), '_', '_'} | {'_', '_', '_'}, [want()]}.

-record(patterns, {session :: erltrace_session:session(),
                   set = #{} :: #{tuple() => [want()]},
                   kept = #{} :: #{tuple() => true}, % functions whose pattern is another tool's
                   send = none :: term(),            % none: as it was
                   'receive' = none :: term(),
                   natives = false :: boolean()}).
-opaque state() :: #patterns{}.

-spec new(erltrace_session:session()) -> state().
new(Session) ->
    #patterns{session = Session}.

%% Whether update/3 can do something with them.
-spec are_patterns(term()) -> boolean().
are_patterns([{{M, F, A}, Wants} | Rest]) when is_atom(M), is_atom(F), A =:= '_' orelse is_integer(A) andalso A >= 0 andalso A =< 255 ->
    are_wants(Wants) andalso are_patterns(Rest);
are_patterns(Patterns) ->
    Patterns =:= [].

are_wants([Want | Rest]) -> lists:member(Want, [caller, stack, exception, return]) andalso are_wants(Rest);
are_wants(Wants) -> Wants =:= [].

%% Notes say what cannot be had, and which wants that is about.
-spec update([atom()], [pattern()], state()) -> {state(), [{[atom()], binary()}]}.
update(Wants, Patterns, P) ->
    Wanted = merge(special(Wants, Patterns) ++ Patterns),
    P1 = set_functions(Wanted, P),
    Session = P#patterns.session,
    {Send, Notes2} = set_event(Session, send, send_spec(Wants), P1#patterns.send),
    {Receive, Notes3} = set_event(Session, 'receive', receive_spec(Wants), P1#patterns.'receive'),
    P3 = P1#patterns{send = Send, 'receive' = Receive},
    {set_natives(Wants, P3), Notes2 ++ Notes3}.

%% What there is to say to a script that wants these.
-spec kept([atom()], [pattern()], state()) -> [binary()].
kept(Wants, Patterns, #patterns{kept = Kept}) ->
    MFAs = [MFA || {MFA, _} <- special(Wants, Patterns) ++ Patterns, maps:is_key(MFA, Kept)],
    kept_note(length(lists:usort(MFAs))).

%% A module was loaded, perhaps again; undefined: it is not known which.
-spec again(module() | undefined, state()) -> ok.
again(Module, #patterns{session = Session, set = Set}) ->
    maps:foreach(
        fun({'_', '_', '_'}, Wants) when Module =/= undefined ->
                erltrace_session:function(Session, {Module, '_', '_'}, match_spec(Wants));
           ({M, _, _} = MFA, Wants) when M =:= Module; Module =:= undefined ->
                erltrace_session:is_traced(Session, MFA) orelse
                    erltrace_session:function(Session, MFA, match_spec(Wants));
           (_, _) ->
                ok
        end,
        Set).

%% What a hub that died has left of these.
-spec remove([atom()], [pattern()]) -> ok.
remove(Wants, Patterns) ->
    clear({[MFA || {MFA, _} <- special(Wants, Patterns) ++ Patterns],
           [send || send_spec(Wants) =/= none] ++ ['receive' || receive_spec(Wants) =/= none]}).

%% All that is set and that update/3 would set, for clear/1 when nobody else can tell any more.
-spec touched([atom()], [pattern()], state()) -> term().
touched(_, _, #patterns{session = {own, _}}) ->
    {[], []}; % goes with the session
touched(Wants, Patterns, #patterns{session = Session, set = Set} = P) ->
    New = [MFA || {MFA, _} <- special(Wants, Patterns) ++ Patterns, not maps:is_key(MFA, Set), not is_foreign(Session, MFA)],
    Events = [send || P#patterns.send =/= none orelse send_spec(Wants) =/= none]
        ++ ['receive' || P#patterns.'receive' =/= none orelse receive_spec(Wants) =/= none],
    {maps:keys(Set) ++ New, Events}.

-spec clear(term()) -> ok.
clear({MFAs, Events}) ->
    [erltrace_session:function(shared, MFA, false) || MFA <- MFAs],
    [erltrace_session:event(shared, Event, true) || Event <- Events],
    ok;
clear(_) ->
    ok.

%% -- functions

%% One entry for each function, with all that anybody wants to know of it.
merge(Patterns) ->
    lists:foldl(
        fun({MFA, Wants}, Acc) ->
                maps:update_with(MFA, fun(Old) -> lists:usort(Wants ++ Old) end, lists:usort(Wants), Acc)
        end,
        #{},
        Patterns).

%% Loading of code is watched also for the sake of the patterns themselves: new code has none.
special(Wants0, Patterns) ->
    Wants = [reload || Patterns =/= []] ++ Wants0,
    [{MFA, [{special, What}]}
     || {Want, MFAs} <- [{exit_signals, [{exit, {erlang, exit, 2}}]},
                         {hibernate, [{hibernate, {erlang, hibernate, 3}}]},
                         {code, [{delete, {erlang, delete_module, 1}},
                                 {purge, {erts_internal, purge_module, 2}},
                                 {load, {erlang, load_module, 2}},
                                 {load, {erlang, finish_loading, 1}}]},
                         {reload, [{load, {erlang, load_module, 2}},
                                   {load, {erlang, finish_loading, 1}}]},
                         {user, [{user, {dyntrace, user_trace_s1, 1}},
                                 {user, {dyntrace, user_trace_i4s4, 9}},
                                 {user, {dyntrace, user_trace_n, 10}}]}],
        lists:member(Want, Wants),
        {What, MFA} <- MFAs].

set_functions(All, #patterns{session = Session, set = Set} = P) ->
    WideOnes = maps:filter(fun(MFA, _) -> is_wide(MFA) end, All),
    %% a narrow pattern stands in the place of a wide one, so it tells what that would tell
    Wanted = maps:map(fun(MFA, Wants) -> lists:usort(Wants ++ covering(MFA, WideOnes)) end, All),
    Gone = maps:without(maps:keys(Wanted), Set),
    set_patterns(Session, [{MFA, case not is_wide(MFA) andalso is_covered(MFA, WideOnes) of
                            true -> match_spec(covering(MFA, WideOnes));
                            false -> false
                        end} || MFA <- maps:keys(Gone)]),
    %% a wide pattern that went, came or changed has taken narrow ones with it
    Again = lists:any(fun is_wide/1, maps:keys(Gone))
        orelse lists:any(fun(MFA) -> maps:get(MFA, Wanted) =/= maps:get(MFA, Set, none) end, maps:keys(WideOnes)),
    %% wide ones first: they replace what is narrow
    {Narrow, Wide} = lists:partition(fun({MFA, _}) -> not is_wide(MFA) end, maps:to_list(Wanted)),
    Ours = fun(MFA) -> maps:is_key(MFA, Set) orelse is_covered(MFA, WideOnes) orelse not is_foreign(Session, MFA) end,
    {Taken, Kept} = lists:partition(fun({MFA, _}) -> Ours(MFA) end, Narrow),
    Change = fun({MFA, Wants}) -> Again orelse maps:get(MFA, Set, none) =/= Wants end,
    set_patterns(Session, [{MFA, match_spec(Wants)} || {MFA, Wants} = New <- Wide, Change(New)]),
    set_patterns(Session, [{MFA, match_spec(Wants)} || {MFA, Wants} = New <- Taken, Change(New)]),
    P#patterns{set = maps:from_list(Wide ++ Taken), kept = maps:from_list([{MFA, true} || {MFA, _} <- Kept])}.

%% Each pattern that is set makes all schedulers of the node take notice, several times: where a module's functions all get the
%% same one, it is set on all at once.
set_patterns(Session, New) ->
    ByModule = lists:foldl(
                   fun({{M, _, _}, _} = One, Acc) -> maps:update_with(M, fun(Others) -> [One | Others] end, [One], Acc) end,
                   #{},
                   New),
    maps:foreach(fun(Module, Its) -> set_module(Session, Module, Its) end, ByModule).

set_module(Session, Module, [{_, Spec}, _, _ | _] = New) ->
    MFAs = lists:sort([MFA || {MFA, S} <- New, S =:= Spec]),
    case length(MFAs) =:= length(New) andalso MFAs =:= functions(Module) of
        true ->
            %% as many as are meant, or, with code that has just changed, one by one
            erltrace_session:function(Session, {Module, '_', '_'}, Spec) =:= length(MFAs) orelse set_each(Session, New);
        false ->
            set_each(Session, New)
    end;
set_module(Session, _, New) ->
    set_each(Session, New).

set_each(Session, New) ->
    lists:foreach(fun({MFA, Spec}) -> erltrace_session:function(Session, MFA, Spec) end, New).

functions(Module) ->
    try lists:sort([{Module, F, A} || {F, A} <- erlang:get_module_info(Module, functions)])
    catch _:_ -> []
    end.

is_wide({_, '_', _}) -> true;
is_wide({_, _, '_'}) -> true;
is_wide(_) -> false.

%% What the wide patterns on the function tell.
covering({M, _, _}, Wide) ->
    lists:usort(maps:get({'_', '_', '_'}, Wide, []) ++ maps:get({M, '_', '_'}, Wide, [])).

%% Whether what is set on the function is our own wide pattern.
is_covered({M, _, _}, Set) ->
    maps:is_key({'_', '_', '_'}, Set) orelse maps:is_key({M, '_', '_'}, Set).

%% Whether the function has another tool's pattern.
is_foreign(Session, MFA) ->
    not erltrace_session:is_own(Session) andalso not is_wide(MFA) andalso erltrace_session:is_traced(Session, MFA).

kept_note(0) -> [];
kept_note(1) -> [<<"1 function keeps the trace pattern of another tool: calls of it may be missing">>];
kept_note(N) -> [<<(integer_to_binary(N))/binary, " functions keep the trace patterns of another tool: calls of them may be missing">>].

match_spec([]) ->
    true;
match_spec(Wants) ->
    Ends = [{exception_trace} || lists:member(exception, Wants)]
        ++ [{return_trace} || lists:member(return, Wants), not lists:member(exception, Wants)],
    Caller = case lists:member(stack, Wants) of
                 true -> {{{caller}, {current_stacktrace}}};
                 false -> {caller}
             end,
    Plain = {'_', [], [{message, Caller} || lists:member(caller, Wants)] ++ Ends},
    Quiet = {'_', [], [{message, false}]},
    Others = [W || W <- Wants, not is_tuple(W)],
    Rest = case Others of [] -> Quiet; _ -> Plain end,
    case lists:keyfind(special, 1, Wants) of
        false ->
            [Plain];
        {special, load} ->
            {Head, Guards, Body} = Rest,
            [{Head, Guards, Body ++ [{return_trace} || Ends =:= []]}];
        {special, exit} ->
            [{['$1', '$2'], [], [tell(Caller, {{exit, '$1', {node, '$1'}, '$2'}}) | Ends]}];
        {special, hibernate} ->
            [{['$1', '$2', '$3'], [], [tell(Caller, {{hibernate, {{'$1', '$2', {length, '$3'}}}}}) | Ends]}];
        {special, user} ->
            [{'_', [], [tell(Caller, {{user, '$_'}}) | Ends]}];
        {special, delete} ->
            [{['$1'], [], [tell(Caller, {{code, delete, '$1'}}) | Ends]}];
        {special, purge} ->
            [{['$1', complete], [], [tell(Caller, {{code, purge, '$1'}}) | Ends]}, Rest]
    end.

tell(Caller, What) ->
    {message, {{erltrace, What, Caller}}}.

%% -- sending and receiving

%% The receiver's node and the sequential-trace token, where a script looks at them.
send_spec(Wants) ->
    case lists:member(token, Wants) of
        true -> [{['$1', '_'], [{is_pid, '$1'}], [{message, [{node, '$1'}, {get_seq_token}]}]},
                 {'_', [], [{message, [undefined, {get_seq_token}]}]}];
        false -> none
    end.

%% For exit signals alone not every message is looked at.
receive_spec(Wants) ->
    case lists:member(messages, Wants) orelse not lists:member(exit_signals, Wants) of
        true -> none;
        false -> [{['_', '_', {'EXIT', '_', '_'}], [], []}]
    end.

set_event(_, _, Spec, Spec) ->
    {Spec, []};
set_event(Session, Event, none, _) ->
    erltrace_session:event(Session, Event, true),
    {none, []};
set_event(shared, Event, Spec, none) ->
    case erlang:trace_info(Event, match_spec) of
        {match_spec, true} ->
            erltrace_session:event(shared, Event, Spec),
            {Spec, []};
        _ ->
            Text = atom_to_binary(Event, utf8),
            {none, [{[Event], <<"another tool has set a trace pattern for ", Text/binary,
                                ": some messages and all tokens may be missing">>}]}
    end;
set_event(Session, Event, Spec, _) ->
    erltrace_session:event(Session, Event, Spec),
    {Spec, []}.

%% -- BIFs and NIFs

set_natives(Wants, #patterns{natives = Told} = P) ->
    Needed = lists:member(natives, Wants),
    Needed andalso not Told andalso erltrace_tracer:natives(natives()),
    P#patterns{natives = Needed}.

%% {Module, Function, Arity, 1: BIF, 2: NIF} of all loaded modules.
-spec natives() -> [{module(), atom(), arity(), 1 | 2}].
natives() ->
    lists:append(
        [[{M, F, A, 1} || {F, A} <- exports(M), erlang:is_builtin(M, F, A)]
         ++ [{M, F, A, 2} || {F, A} <- nifs(M)]
         || M <- erlang:loaded(), not lists:prefix("erltrace", atom_to_list(M))]).

exports(M) ->
    try erlang:get_module_info(M, exports) catch _:_ -> [] end.

nifs(M) ->
    try erlang:get_module_info(M, nifs) catch _:_ -> [] end.
