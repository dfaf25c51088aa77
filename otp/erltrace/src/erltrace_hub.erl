%% The hub of a node: one process that owns all that erltrace has switched on in
%% the VM, for all scripts together: trace flags, patterns, monitors. It adds what
%% a new script needs, takes away what nobody needs any more, also when an agent
%% was killed, and ends with the last agent. Modules that a client has sent here are then removed from the
%% node; those of a release stay.
%%
%% What other tools have set stays: processes that have another tracer are
%% left alone and counted, functions that have a pattern already keep it.
-module(erltrace_hub).

-export([attach/1, join/4, leave/1]).
-export([init/1]).

-define(MODULE_TRACER, erltrace_tracer).
-define(FLAGS, [send, 'receive', call, return_to, procs, running_procs, garbage_collection, ports]).
-define(ALL_FLAGS, [arity | ?FLAGS]).
-define(ASKERS, 32).
-define(ASKING, 2000). % ms
-define(MODULES, [erltrace_agent, erltrace_sampler, erltrace_sources, erltrace_patterns, erltrace_session, erltrace_tracer,
                  erltrace_hub]).

-record(session, {ref :: reference(),
                  wants = [] :: [atom()],
                  patterns = [] :: [erltrace_patterns:pattern()],
                  own = [] :: [pid() | port()]}).
-record(state, {session :: erltrace_session:session(),
                sessions = #{} :: #{pid() => #session{}},
                flags = [] :: [atom()],
                targets = [] :: all | [pid()],
                patterns :: erltrace_patterns:state(),
                sampler :: erltrace_sampler:state(),
                sources :: erltrace_sources:state()}).

%% An agent begins; Own are processes and ports of erltrace that are never traced.
-spec attach([pid() | port()]) -> pid().
attach(Own) ->
    Hub = ensure(),
    case call(Hub, {attach, Own}) of
        ok -> Hub;
        {error, _} -> timer:sleep(10), attach(Own)
    end.

ensure() ->
    case whereis(?MODULE) of
        undefined ->
            {Pid, Ref} = spawn_monitor(?MODULE, init, [self()]),
            receive
                {Pid, ready} -> erlang:demonitor(Ref, [flush]), Pid;
                {'DOWN', Ref, process, Pid, _} -> ensure()
            end;
        Pid ->
            Pid
    end.

%% The agent's script starts. Notes say what could not be had.
-spec join(pid(), [atom()], [erltrace_patterns:pattern()], [pid() | port()]) ->
          {ok, #{notes := [binary()]}} | {error, binary()}.
join(Hub, Wants, Patterns, Own) ->
    call(Hub, {join, Wants, Patterns, Own}).

%% The agent's script has ended; everything that was switched on for it alone is off when this returns.
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
            process_flag(message_queue_data, off_heap),
            erltrace_tracer:own([self()]),
            %% a hub that was killed may have left flags and patterns: nobody else uses this tracer, and the
            %% library remembers the patterns
            erltrace_session:clear(),
            forget(erltrace_tracer:recall()),
            Parent ! {self(), ready},
            Session = erltrace_session:new(),
            loop(#state{session = Session, patterns = erltrace_patterns:new(Session), sources = erltrace_sources:new(),
                        sampler = erltrace_sampler:new()});
        _ ->
            exit(normal)
    end.

%% Waits a little for the next agent before it ends, so that scripts in a row do not race with its end.
loop(#state{sessions = Sessions} = S) when map_size(Sessions) =:= 0 ->
    receive
        Message -> handle(Message, S)
    after 200 ->
        erltrace_session:destroy(S#state.session),
        finish(code:which(?MODULE))
    end;
loop(S) ->
    receive
        Message -> handle(Message, S)
    end.

%% Whoever found the name just before it went gets an answer.
refuse_late() ->
    receive
        {Ref, From, _} when is_reference(Ref) ->
            From ! {Ref, {error, <<"the hub was ending">>}},
            refuse_late()
    after 0 ->
        ok
    end.

%% Modules go that a client has loaded: it gave them a file name that no release has. Until they are gone the name stays
%% ours, so that no other hub begins with code that is being removed; an agent that has begun with it ends here, and its client
%% tries again. This process runs the code that goes, so another one, with nothing but OTP's own code, does the last step.
finish("sent-by-erltrace/" ++ _) ->
    %% newer code is somebody else's, who comes at this moment
    erlang:check_old_code(?MODULE) orelse remove_modules(),
    unregister(?MODULE),
    refuse_late(),
    spawn(code, purge, [?MODULE]),
    ok;
finish(_) ->
    unregister(?MODULE),
    refuse_late().

remove_modules() ->
    Others = ?MODULES -- [?MODULE],
    lists:foreach(fun code:purge/1, Others),
    lists:foreach(fun code:delete/1, ?MODULES),
    lists:foreach(fun code:purge/1, Others).

handle({Ref, Agent, {attach, Own}}, #state{sessions = Sessions} = S) when is_reference(Ref) ->
    Monitor = erlang:monitor(process, Agent),
    S1 = S#state{sessions = Sessions#{Agent => #session{ref = Monitor, own = Own}}},
    set_own(S1),
    shield([Agent | Own], S),
    Agent ! {Ref, ok},
    loop(S1);
handle({Ref, Agent, {join, Wants, Patterns, Own}}, #state{sessions = Sessions} = S) when is_reference(Ref) ->
    case Sessions of
        #{Agent := Session} ->
            Joined = Session#session{wants = Wants, patterns = Patterns, own = Own},
            {S1, Notes} = apply_changes(S#state{sessions = Sessions#{Agent := Joined}}),
            Agent ! {Ref, {ok, #{notes => Notes}}},
            loop(S1);
        _ ->
            Agent ! {Ref, {error, <<"the agent is not attached">>}},
            loop(S)
    end;
handle({Ref, Agent, leave}, #state{sessions = Sessions} = S) when is_reference(Ref) ->
    S2 = case Sessions of
             #{Agent := Session} ->
                 Left = Session#session{wants = [], patterns = []},
                 {S1, _} = apply_changes(S#state{sessions = Sessions#{Agent := Left}}),
                 S1;
             _ ->
                 S
         end,
    Agent ! {Ref, ok},
    loop(S2);
handle({'DOWN', _, process, Agent, _}, #state{sessions = Sessions} = S) ->
    {S1, _} = apply_changes(S#state{sessions = maps:remove(Agent, Sessions)}),
    loop(S1);
handle({erltrace_code, load, Module, _} = Message, #state{patterns = Patterns, sources = Sources} = S) ->
    erltrace_patterns:again(Module, Patterns),
    loop(S#state{sources = erltrace_sources:message(Message, Sources)});
handle(Message, #state{sources = Sources} = S) ->
    loop(S#state{sources = erltrace_sources:message(Message, Sources)}).

%% Own processes run NIFs on dirty schedulers, and the VM (OTP 25) can crash when the flags of such a process change just as
%% it leaves one. A tracer of their own that is never told anything keeps ours away from them: a process has one.
%% (In a session of our own that would not keep it away; the tracer discards events of own processes in either case.)
shield(Processes, #state{session = shared}) ->
    [begin
         erltrace_session:flags(shared, P, false, ?ALL_FLAGS),
         catch erlang:trace(P, true, [{tracer, self()}, set_on_first_link])
     end || P <- Processes, is_pid(P)],
    ok;
shield(_, _) ->
    ok.

set_own(#state{sessions = Sessions, sampler = Sampler}) ->
    erltrace_tracer:own([self() | erltrace_sampler:processes(Sampler)] ++ maps:keys(Sessions)
                        ++ lists:append([Own || #session{own = Own} <- maps:values(Sessions)])).

apply_changes(#state{sessions = Sessions, patterns = Patterns, sources = Sources} = S) ->
    set_own(S),
    All = maps:values(Sessions),
    Wants = lists:usort(lists:append([W || #session{wants = W} <- All])),
    Wanted = lists:append([P || #session{patterns = P} <- All]),
    remember(erltrace_patterns:touched(Wants, Wanted, Patterns), S#state.sampler),
    {Patterns1, Notes1} = erltrace_patterns:update(Wants, Wanted, Patterns),
    Sampler1 = erltrace_sampler:update(Wants, S#state.sampler),
    remember(erltrace_patterns:touched([], [], Patterns1), Sampler1),
    {Sources1, Notes2} = erltrace_sources:update(Wants, Sources),
    shield(erltrace_sampler:processes(Sampler1), S),
    set_own(S#state{sampler = Sampler1}),
    Targets = targets([W || #session{wants = [_ | _] = W} <- All]),
    {S1, Notes3} = set_flags(Wants, Targets, S#state{patterns = Patterns1, sources = Sources1, sampler = Sampler1}),
    {S1, Notes3 ++ Notes1 ++ Notes2}.

%% For a hub that comes after this one was killed.
remember(Patterns, Sampler) ->
    erltrace_tracer:remember({Patterns, erltrace_sampler:depth(Sampler)}).

forget({Patterns, Depth}) ->
    erltrace_patterns:clear(Patterns),
    erltrace_sampler:restore(Depth);
forget(_) ->
    ok.

%% Which processes need flags: all, unless every script is about some only.
targets(Sessions) ->
    Sets = [lists:keyfind(only, 1, Wants) || Wants <- Sessions],
    case lists:member(false, Sets) of
        true -> all;
        false -> lists:usort(lists:append([Pids || {only, Pids} <- Sets]))
    end.

%% Processes that have ended, or have another tracer, have no flags to change. How many processes and ports have got them.
trace(Session, all, On, Flags) ->
    erltrace_session:flags(Session, all, On, Flags);
trace(Session, Pids, On, Flags) ->
    lists:foreach(fun(P) -> erltrace_session:flags(Session, P, On, Flags) end, Pids),
    some.

set_flags(Wants, Targets, #state{session = Session, targets = Before} = S) when Targets =/= Before ->
    trace(Session, Before, false, ?ALL_FLAGS),
    set_flags(Wants, Targets, S#state{targets = Targets, flags = []});
set_flags(Wants, Targets, #state{session = Session, flags = Old} = S) ->
    Flags = [F || F <- ?FLAGS, lists:member(F, Wants)]
        ++ [arity || lists:member(call, Wants), not lists:member(arguments, Wants)],
    case Old -- Flags of
        [] -> ok;
        Gone -> trace(Session, Targets, false, Gone)
    end,
    Notes = case Flags of
                [] ->
                    [];
                _ ->
                    Before = tracees(Flags),
                    Set = trace(Session, Targets, true, Flags),
                    foreign_note(foreign_processes(Set, max(Before, tracees(Flags)), S))
            end,
    {S#state{flags = Flags}, Notes}.

foreign_note(0) -> [];
foreign_note(1) -> [<<"1 process has another tracer and is not traced">>];
foreign_note(N) -> [<<(integer_to_binary(N))/binary, " processes have another tracer and are not traced">>].

%% How many processes have another tracer. Each can only be asked by a signal that it takes when it runs next, so none is asked
%% when the numbers say that all got the flags, and those asked are asked side by side: on a busy node, where processes
%% come and go and the numbers say little, it takes as long as the slowest of them, and an end is made after a while.
foreign_processes(_, _, #state{session = {own, _}}) ->
    0; % nobody else is in a session of our own
foreign_processes(Set, All, #state{sessions = Sessions, sampler = Sampler}) when is_integer(Set) ->
    Shielded = length(erltrace_sampler:processes(Sampler)) + lists:sum([1 + length([P || P <- Own, is_pid(P)]) || #session{own = Own} <- maps:values(Sessions)]),
    case All - Set - Shielded > 0 of
        true -> ask_processes(processes());
        false -> 0
    end;
foreign_processes(_, _, _) ->
    ask_processes(processes()).

%% How many processes and ports these flags are for.
tracees(Flags) ->
    Ports = [F || F <- Flags, lists:member(F, [send, 'receive', ports])],
    case Flags -- [ports] of
        [] -> 0;
        _ -> erlang:system_info(process_count)
    end
        + case Ports of
              [] -> 0;
              _ -> erlang:system_info(port_count)
          end.

ask_processes(Processes) ->
    Hub = self(),
    Askers = [spawn_opt(fun() -> ask_each(Share, Hub) end, [monitor, {priority, high}])
              || Share <- shares(Processes, ?ASKERS), Share =/= []],
    Until = erlang:monotonic_time(millisecond) + ?ASKING,
    lists:sum([answer(Asker, Until) || Asker <- Askers]).

ask_each(Share, Hub) ->
    exit({foreign, length([P || P <- Share, has_other_tracer(P, Hub)])}).

answer({Pid, Ref}, Until) ->
    receive
        {'DOWN', Ref, process, Pid, {foreign, N}} -> N;
        {'DOWN', Ref, process, Pid, _} -> 0
    after max(0, Until - erlang:monotonic_time(millisecond)) ->
        erlang:demonitor(Ref, [flush]),
        exit(Pid, kill),
        0
    end.

shares(List, N) ->
    Size = max(1, (length(List) + N - 1) div N),
    shares_of(List, Size).

shares_of(List, Size) when length(List) =< Size -> [List];
shares_of(List, Size) ->
    {Share, Rest} = lists:split(Size, List),
    [Share | shares_of(Rest, Size)].

has_other_tracer(P, Hub) ->
    case erlang:trace_info(P, tracer) of
        {tracer, []} -> false;
        {tracer, {?MODULE_TRACER, _}} -> false;
        {tracer, Hub} -> false;
        {tracer, _} -> true;
        undefined -> false
    end.
