%% The hub of a node: one process that owns all trace flags and patterns that
%% erltrace has set, for all scripts together. It adds what a new script
%% needs, takes away what nobody needs any more, also when an agent was killed,
%% and ends with the last script.
%%
%% What other tools have set stays: processes that have another tracer are
%% left alone and counted, functions that have a pattern already keep it.
-module(erltrace_hub).

-export([ensure/0, join/3, leave/1]).
-export([init/1]).

-define(TRACER, {tracer, ?MODULE_TRACER, []}).
-define(MODULE_TRACER, erltrace_tracer).
-define(FLAGS, [send, 'receive', call, return_to, procs, running_procs, garbage_collection, ports]).

%% mfa patterns: {Module, Function, Arity} with '_', and what the match specification must tell:
%% caller (who called), exception (how it ended).
-type pattern() :: {mfa() | {atom(), '_', '_'} | {'_', '_', '_'}, [caller | exception]}.

-record(session, {ref :: reference(), flags = [] :: [atom()], patterns = [] :: [pattern()]}).
-record(state, {sessions = #{} :: #{pid() => #session{}},
                flags = [] :: [atom()],
                set = #{} :: #{tuple() => term()},
                foreign = 0 :: non_neg_integer()}).

-spec ensure() -> pid().
ensure() ->
    case whereis(?MODULE) of
        undefined ->
            Self = self(),
            {Pid, Ref} = spawn_monitor(?MODULE, init, [Self]),
            receive
                {Pid, ready} -> erlang:demonitor(Ref, [flush]), Pid;
                {'DOWN', Ref, process, Pid, _} -> ensure()
            end;
        Pid ->
            Pid
    end.

%% The caller is an agent. Info says what could not be had.
-spec join(pid(), [atom()], [pattern()]) -> {ok, map()} | {error, binary()}.
join(Hub, Flags, Patterns) ->
    call(Hub, {join, Flags, Patterns}).

-spec leave(pid()) -> ok | {error, binary()}.
leave(Hub) ->
    call(Hub, leave).

call(Hub, Request) ->
    Ref = erlang:monitor(process, Hub),
    Hub ! {Ref, self(), Request},
    receive
        {Ref, Reply} -> erlang:demonitor(Ref, [flush]), Reply;
        {'DOWN', Ref, process, _, _} -> {error, <<"the hub of erltrace on this node has died">>}
    end.

init(Parent) ->
    case catch register(?MODULE, self()) of
        true ->
            process_flag(priority, high),
            erltrace_tracer:own([self()]),
            Parent ! {self(), ready},
            loop(#state{});
        _ ->
            exit(normal)
    end.

%% Waits a little for the next script before it ends, so that scripts in a row do not race with its end.
loop(#state{sessions = Sessions} = S) when map_size(Sessions) =:= 0 ->
    receive
        Message -> handle(Message, S)
    after 200 ->
        unregister(?MODULE),
        drain_end(S)
    end;
loop(S) ->
    receive
        Message -> handle(Message, S)
    end.

%% Whoever found the name just before it went gets an answer.
drain_end(S) ->
    receive
        {Ref, From, _} when is_reference(Ref) ->
            From ! {Ref, {error, <<"the hub was ending; try again">>}},
            drain_end(S)
    after 0 ->
        ok
    end.

handle({Ref, Agent, {join, Flags, Patterns}}, #state{sessions = Sessions} = S) ->
    Monitor = erlang:monitor(process, Agent),
    Session = #session{ref = Monitor, flags = Flags, patterns = Patterns},
    {S1, Info} = apply_changes(S#state{sessions = Sessions#{Agent => Session}}),
    Agent ! {Ref, {ok, Info}},
    loop(S1);
handle({Ref, Agent, leave}, S) ->
    S1 = remove(Agent, S),
    Agent ! {Ref, ok},
    loop(S1);
handle({'DOWN', _, process, Agent, _}, S) ->
    loop(remove(Agent, S));
handle(_, S) ->
    loop(S).

remove(Agent, #state{sessions = Sessions} = S) ->
    case maps:take(Agent, Sessions) of
        {#session{ref = Monitor}, Rest} ->
            erlang:demonitor(Monitor, [flush]),
            {S1, _} = apply_changes(S#state{sessions = Rest}),
            S1;
        error ->
            S
    end.

apply_changes(#state{sessions = Sessions} = S) ->
    erltrace_tracer:own([self() | maps:keys(Sessions)]),
    All = maps:values(Sessions),
    Patterns = merge_patterns(lists:append([P || #session{patterns = P} <- All])),
    Flags = lists:usort(lists:append([F || #session{flags = F} <- All])),
    S1 = set_patterns(Patterns, S),
    {S2, Left} = set_flags([F || F <- Flags, lists:member(F, ?FLAGS)], S1),
    {S2, #{untraced => Left, kept => S2#state.foreign}}.

%% One entry for each function, with all that anybody wants to know of it.
merge_patterns(Patterns) ->
    lists:foldl(
        fun({MFA, Wants}, Acc) ->
                maps:update_with(MFA, fun(Old) -> lists:usort(Wants ++ Old) end, lists:usort(Wants), Acc)
        end,
        #{},
        Patterns).

set_patterns(Wanted, #state{set = Set} = S) ->
    Gone = maps:without(maps:keys(Wanted), Set),
    maps:foreach(fun(MFA, _) -> erlang:trace_pattern(MFA, false, [local]) end, Gone),
    %% a wide pattern that went may have taken a narrow one with it
    Again = map_size(Gone) > 0,
    {Set1, Foreign} =
        maps:fold(
            fun(MFA, Wants, {Acc, N}) ->
                    case Set of
                        #{MFA := Wants} when not Again -> {Acc#{MFA => Wants}, N};
                        _ -> set_pattern(MFA, Wants, Set, Acc, N)
                    end
            end,
            {#{}, 0},
            Wanted),
    S#state{set = Set1, foreign = Foreign}.

set_pattern(MFA, Wants, Set, Acc, Foreign) ->
    Ours = maps:is_key(MFA, Set),
    case Ours orelse not is_foreign(MFA) of
        true ->
            erlang:trace_pattern(MFA, match_spec(Wants), [local]),
            {Acc#{MFA => Wants}, Foreign};
        false ->
            {Acc, Foreign + 1}
    end.

is_foreign({_, '_', _}) -> false;
is_foreign({_, _, '_'}) -> false;
is_foreign(MFA) ->
    case erlang:trace_info(MFA, traced) of
        {traced, local} -> true;
        {traced, global} -> true;
        _ -> false
    end.

match_spec([]) -> true;
match_spec(Wants) ->
    [{'_', [], [{message, {caller}} || lists:member(caller, Wants)]
              ++ [{exception_trace} || lists:member(exception, Wants)]}].

%% The number of processes that have another tracer.
set_flags(Flags, #state{flags = Old} = S) ->
    case Old -- Flags of
        [] -> ok;
        Gone -> erlang:trace(all, false, [?TRACER | Gone])
    end,
    Left = case Flags of
               [] ->
                   Old =:= [] orelse erlang:trace(all, false, [?TRACER, arity]),
                   0;
               _ ->
                   Extra = [arity || lists:member(call, Flags)],
                   erlang:trace(all, true, [?TRACER | Flags ++ Extra]),
                   count_foreign()
           end,
    {S#state{flags = Flags}, Left}.

count_foreign() ->
    length([P || P <- processes(),
                 case erlang:trace_info(P, tracer) of
                     {tracer, []} -> false;
                     {tracer, {?MODULE_TRACER, _}} -> false;
                     {tracer, _} -> true;
                     undefined -> false
                 end]).
