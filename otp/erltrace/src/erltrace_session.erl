%% The VM's trace settings: the only place that knows how they are made.
%%
%% From OTP 27 on all flags and patterns are set in our own trace session. Other tools have theirs, nobody sees the
%% other's, and a session that nobody holds any more is gone with everything in it. Before that, a node has one set of
%% patterns and a process one tracer: what another tool has set is looked up first and left alone.
-module(erltrace_session).

-export([is_separate/0, has_stacks/0, hide/0, new/0, is_own/1, watched/2, each/2, collect/2, look/0, pieces/2]).
-export([flags/4, left_flags/1, new_ones/3, is_for_ports/1, function/3, event/3, is_traced/2, pattern/2, destroy/1]).
-export([new_counters/0, count/3, counted/2, are_hidden_uncounted/0]).
-export([called/0]). % for a pattern
-export_type([session/0]).

-define(TRACER, erltrace_tracer).
-define(PORT_FLAGS, [send, 'receive', ports]).
%% That erltrace never sets, but that a process or port can have from a tracer that has ended.
-define(LEFT_FLAGS, [running, running_ports, timestamp, monotonic_timestamp, strict_monotonic_timestamp, silent,
                     set_on_spawn, set_on_first_spawn, set_on_link, set_on_first_link]).
-define(WORK, 4). % ms
-define(REST, 2). % ms; as often as the application's environment says in `rests`, when there is one that watches
-define(WATCH, erltrace_watch). % of the process dictionary: a fun, while watched/2 runs
-define(PIECE, 500).

-type session() :: shared | {own, term()}.

%% Whether this OTP has sessions.
-spec is_separate() -> boolean().
is_separate() ->
    release() >= 27.

%% Returns whether a match specification can give the stack of a call.
-spec has_stacks() -> boolean().
has_stacks() ->
    release() >= 26.

release() ->
    list_to_integer(erlang:system_info(otp_release)).

%% Processes that erltrace has in any node begin with this, unless they live only for a moment. From OTP 27 on the VM then neither traces them nor counts their calls, in no
%% session. It also tells nobody their messages and dictionary.
-spec hide() -> ok.
hide() ->
    _ = is_separate() andalso process_flag(sensitive, true),
    ok.

-spec new() -> session().
new() ->
    case is_separate() of
        true -> {own, trace:session_create(erltrace, {?TRACER, []}, [])};
        false -> shared
    end.

%% Returns whether nothing that is set here can conflict with what another tool has set.
-spec is_own(session()) -> boolean().
is_own({own, _}) -> true;
is_own(shared) -> false.

%% Returns what Work returns. Between two pieces IsPointless is asked; if it says true the rest is not done.
-spec watched(fun(() -> boolean()), fun(() -> Result)) -> {ok, Result} | pointless.
watched(IsPointless, Work) ->
    put(?WATCH, IsPointless),
    try {ok, Work()}
    catch throw:pointless -> pointless
    after erase(?WATCH)
    end.

%% For work that has other pieces.
-spec look() -> ok.
look() ->
    case get(?WATCH) of
        undefined -> ok;
        IsPointless -> IsPointless() andalso throw(pointless), ok
    end.

rest() ->
    rest(case get(?WATCH) of
             undefined -> 1;
             _ -> application:get_env(erltrace, rests, 1)
         end).

rest(0) -> ok;
rest(N) -> receive after ?REST -> ok end, look(), rest(N - 1).

%% The elements of a list for which Fun returns true. It may take long, and the hub has high priority, so it is done in
%% pieces, between which the others run.
-spec each(fun((T) -> boolean()), [T]) -> [T].
each(Fun, List) ->
    each(Fun, List, 0, now_ms() + ?WORK, []).

each(_, [], _, _, Found) ->
    lists:reverse(Found);
each(Fun, List, 32, Until, Found) ->
    case now_ms() < Until of
        true -> each(Fun, List, 0, Until, Found);
        false -> rest(), each(Fun, List, 0, now_ms() + ?WORK, Found)
    end;
each(Fun, [First | Rest], N, Until, Found) ->
    case Fun(First) of
        true -> each(Fun, Rest, N + 1, Until, [First | Found]);
        _ -> each(Fun, Rest, N + 1, Until, Found)
    end.

%% The same for items that each take a while: all that Fun finds with them.
-spec collect(fun((T) -> [Found]), [T]) -> [Found].
collect(Fun, List) ->
    collect(Fun, List, now_ms() + ?WORK, []).

collect(_, [], _, Found) ->
    lists:append(lists:reverse(Found));
collect(Fun, [First | Rest], Until, Found) ->
    New = case Fun(First) of
              [] -> Found;
              These -> [These | Found]
          end,
    case now_ms() < Until of
        true -> collect(Fun, Rest, Until, New);
        false -> rest(), collect(Fun, Rest, now_ms() + ?WORK, New)
    end.

%% A long list for a function of the library, which must not hold a scheduler for long.
-spec pieces(fun(([T]) -> ok), [T]) -> ok.
pieces(Fun, List) when length(List) =< ?PIECE ->
    Fun(List);
pieces(Fun, List) ->
    {Piece, Rest} = lists:split(?PIECE, List),
    Fun(Piece),
    pieces(Fun, Rest).

now_ms() ->
    erlang:monotonic_time(millisecond).

%% Sets trace flags of a process or a port. Returns 0 if it has ended, or has another tracer and stays as it is.
-spec flags(session(), pid() | port(), boolean(), [atom()]) -> 0 | 1.
flags(shared, P, false, Flags) ->
    try set(shared, P, false, Flags) catch error:badarg -> 0 end; % a port may have got those of processes
flags(Session, P, On, Flags) ->
    case flags_for(P, Flags) of
        [] -> 1;
        Its -> try set(Session, P, On, Its) catch error:badarg -> 0 end
    end.

flags_for(P, Flags) when is_pid(P) -> Flags -- [ports];
flags_for(_, Flags) -> [F || F <- Flags, lists:member(F, ?PORT_FLAGS)].

%% The flags that our tracer may have got with a process. In our own session there are none.
-spec left_flags(session()) -> [atom()].
left_flags(shared) -> ?LEFT_FLAGS;
left_flags({own, _}) -> [].

set(shared, P, On, Flags) -> erlang:trace(P, On, [{tracer, ?TRACER, []} | Flags]);
set({own, Session}, P, On, Flags) when is_port(P); P =:= new_ports -> trace:port(Session, item(P), On, Flags);
set({own, Session}, P, On, Flags) -> trace:process(Session, item(P), On, Flags).

item(new_ports) -> new;
item(new_processes) -> new;
item(P) -> P.

-spec is_for_ports([atom()]) -> boolean().
is_for_ports(Flags) ->
    flags_for(new_ports, Flags) =/= [].

%% Sets the flags of future processes and ports. What another tool has set there stays; returns for which of the two.
-spec new_ones(session(), boolean(), [atom()]) -> [processes | ports].
new_ones(Session, On, Flags) ->
    [What || {Item, What, Its} <- [{new_processes, processes, Flags -- [ports]}, {new_ports, ports, flags_for(new_ports, Flags)}],
             Its =/= [],
             not change_new(Session, Item, On, Its)].

change_new(Session, Item, On, Flags) ->
    case is_own(Session) orelse whose(Item) of
        theirs -> false;
        nobody when not On -> true;
        _ -> set(Session, Item, On, Flags), true
    end.

whose(Item) ->
    case {erlang:trace_info(Item, flags), erlang:trace_info(Item, tracer)} of
        {{flags, []}, _} -> nobody;
        {_, {tracer, {?TRACER, _}}} -> ours;
        {_, {tracer, []}} -> nobody; % its tracer has ended
        _ -> theirs
    end.

%% The pattern of functions: a match specification, true or false.
-spec function(session(), tuple(), term()) -> non_neg_integer().
function(shared, MFA, Spec) -> erlang:trace_pattern(MFA, Spec, [local]);
function({own, Session}, MFA, Spec) -> trace:function(Session, MFA, Spec, [local]).

%% The pattern of messages.
-spec event(session(), send | 'receive', term()) -> non_neg_integer().
event(shared, Event, Spec) -> erlang:trace_pattern(Event, Spec, []);
event({own, Session}, send, Spec) -> trace:send(Session, Spec, []);
event({own, Session}, 'receive', Spec) -> trace:recv(Session, Spec, []).

-spec is_traced(session(), mfa()) -> boolean().
is_traced(shared, MFA) -> lists:member(erlang:trace_info(MFA, traced), [{traced, local}, {traced, global}]);
is_traced({own, Session}, MFA) -> lists:member(trace:info(Session, MFA, traced), [{traced, local}, {traced, global}]).

%% The pattern of one function, with true as []; false if it has none.
-spec pattern(session(), mfa()) -> {local | global, term()} | false.
pattern(shared, MFA) ->
    case erlang:trace_info(MFA, traced) of
        {traced, How} when How =:= local; How =:= global ->
            case erlang:trace_info(MFA, match_spec) of
                {match_spec, Spec} when is_list(Spec) -> {How, Spec};
                _ -> false % it has just gone
            end;
        _ ->
            false
    end;
pattern({own, _}, _) ->
    false. % nobody else's can be there

%% A session for counters of calls. No event comes from it.
-spec new_counters() -> session().
new_counters() ->
    {own, trace:session_create(erltrace_counters, self(), [])}.

%% A counter begins with 0.
-spec count(session(), tuple(), boolean()) -> non_neg_integer().
count({own, Session}, MFA, On) ->
    trace:function(Session, MFA, On, [call_count]).

%% The calls of a function; false if it has no counter.
-spec counted(session(), mfa()) -> non_neg_integer() | false.
counted({own, Session}, MFA) ->
    case trace:info(Session, MFA, call_count) of
        {call_count, N} when is_integer(N) -> N;
        _ -> false
    end.

%% Returns whether calls of hidden processes, of which the caller is one, are not counted. OTP's documentation says it of
%% events only, so it is tried.
-spec are_hidden_uncounted() -> boolean().
are_hidden_uncounted() ->
    Session = new_counters(),
    {_, Module} = erlang:fun_info(fun ?MODULE:called/0, module),
    {_, Name} = erlang:fun_info(fun ?MODULE:called/0, name),
    1 = count(Session, {Module, Name, 0}, true),
    ?MODULE:called(),
    Calls = counted(Session, {Module, Name, 0}),
    destroy(Session),
    Calls =:= 0.

-spec called() -> ok.
called() -> ok.

-spec destroy(session()) -> ok.
destroy(shared) ->
    ok;
destroy({own, Session}) ->
    trace:session_destroy(Session),
    ok.
