%% The VM's trace settings: the only place that knows how they are made.
%%
%% From OTP 27 on all flags and patterns are set in a trace session of our own: other tools have theirs, nobody sees the other, and a session that
%% nobody holds any more goes with everything in it. Before, a node has one set of patterns and a process one
%% tracer: what another tool has set is asked for first and left alone.
-module(erltrace_session).

-export([is_separate/0, has_stacks/0, new/0, is_own/1, flags/4, function/3, event/3, is_traced/2, pattern/2, destroy/1]).
-export_type([session/0]).

-define(TRACER, erltrace_tracer).
-define(PORT_FLAGS, [send, 'receive', ports]).

-type session() :: shared | {own, term()}.

%% Whether this OTP has sessions.
-spec is_separate() -> boolean().
is_separate() ->
    release() >= 27.

%% Whether a match specification can tell the stack of a call.
-spec has_stacks() -> boolean().
has_stacks() ->
    release() >= 26.

release() ->
    list_to_integer(erlang:system_info(otp_release)).

-spec new() -> session().
new() ->
    case is_separate() of
        true -> {own, trace:session_create(erltrace, {?TRACER, []}, [])};
        false -> shared
    end.

%% Whether nothing that is set here can meet what another tool has set.
-spec is_own(session()) -> boolean().
is_own({own, _}) -> true;
is_own(shared) -> false.

%% Trace flags of one process, or of all processes and ports, also those to come: how many have got them. A process that has ended
%% has none.
-spec flags(session(), all | pid(), boolean(), [atom()]) -> non_neg_integer().
flags(_, _, _, []) ->
    0;
flags(shared, all, On, Flags) ->
    erlang:trace(all, On, [{tracer, ?TRACER, []} | Flags]);
flags(shared, Pid, On, Flags) ->
    try erlang:trace(Pid, On, [{tracer, ?TRACER, []} | Flags]) catch error:badarg -> 0 end;
flags({own, Session}, all, On, Flags) ->
    set(fun(F) -> trace:process(Session, all, On, F) end, Flags -- [ports])
        + set(fun(F) -> trace:port(Session, all, On, F) end, [F || F <- Flags, lists:member(F, ?PORT_FLAGS)]);
flags({own, Session}, Pid, On, Flags) ->
    try set(fun(F) -> trace:process(Session, Pid, On, F) end, Flags -- [ports]) catch error:badarg -> 0 end.

set(_, []) -> 0;
set(Fun, Flags) -> Fun(Flags).

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

%% The pattern of one function, true as []; false: it has none.
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

-spec destroy(session()) -> ok.
destroy(shared) ->
    ok;
destroy({own, Session}) ->
    trace:session_destroy(Session),
    ok.
