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

-define(TRIES, 200).
-define(MODULES, [erltrace_agent, erltrace_flags, erltrace_sampler, erltrace_sources, erltrace_patterns, erltrace_session, erltrace_tracer,
                  erltrace_hub]).

-record(session, {ref :: reference(),
                  wants = [] :: [atom()],
                  patterns = [] :: [erltrace_patterns:pattern()],
                  own = [] :: [pid() | port()]}).
-record(state, {session :: erltrace_session:session(),
                sessions = #{} :: #{pid() => #session{}},
                flags :: erltrace_flags:state(),
                patterns :: erltrace_patterns:state(),
                sampler :: erltrace_sampler:state(),
                sources :: erltrace_sources:state()}).

%% An agent begins; Own are processes and ports of erltrace that are never traced.
-spec attach([pid() | port()]) -> pid().
attach(Own) ->
    attach(Own, ?TRIES).

attach(Own, Tries) ->
    Hub = ensure(Tries),
    case call(Hub, {attach, Own}) of
        ok -> Hub;
        {error, Why} when Tries =:= 0 -> exit({erltrace, Why});
        {error, _} -> timer:sleep(10), attach(Own, Tries - 1)
    end.

%% Another one may begin at the same moment, or be ending.
ensure(Tries) ->
    case whereis(?MODULE) of
        undefined ->
            {Pid, Ref} = spawn_monitor(?MODULE, init, [self()]),
            receive
                {Pid, ready} -> erlang:demonitor(Ref, [flush]), Pid;
                {'DOWN', Ref, process, Pid, normal} when Tries > 0 -> timer:sleep(10), ensure(Tries - 1);
                {'DOWN', Ref, process, Pid, Why} -> exit({erltrace, {hub, Why}})
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
            erltrace_flags:clear(),
            forget(erltrace_tracer:recall()),
            Parent ! {self(), ready},
            Session = erltrace_session:new(),
            loop(#state{session = Session, flags = erltrace_flags:new(Session), patterns = erltrace_patterns:new(Session),
                        sources = erltrace_sources:new(), sampler = erltrace_sampler:new()});
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
    S1 = set_own(S#state{sessions = Sessions#{Agent => #session{ref = Monitor, own = Own}}}),
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

%% Tells everybody which processes and ports are erltrace's own.
set_own(#state{sessions = Sessions, sampler = Sampler, flags = Flags} = S) ->
    Own = erltrace_sampler:processes(Sampler) ++ maps:keys(Sessions)
        ++ lists:append([More || #session{own = More} <- maps:values(Sessions)]),
    erltrace_tracer:own([self() | Own]),
    S#state{flags = erltrace_flags:shield([P || P <- Own, is_pid(P)], Flags)}.

apply_changes(#state{sessions = Sessions, patterns = Patterns, sources = Sources} = S) ->
    All = maps:values(Sessions),
    Wants = lists:usort(lists:append([W || #session{wants = W} <- All])),
    Wanted = lists:append([P || #session{patterns = P} <- All]),
    remember(erltrace_patterns:touched(Wants, Wanted, Patterns), S#state.sampler),
    {Patterns1, Notes1} = erltrace_patterns:update(Wants, Wanted, Patterns),
    Sampler1 = erltrace_sampler:update(Wants, S#state.sampler),
    remember(erltrace_patterns:touched([], [], Patterns1), Sampler1),
    {Sources1, Notes2} = erltrace_sources:update(Wants, Sources),
    #state{flags = Flags} = S1 = set_own(S#state{patterns = Patterns1, sources = Sources1, sampler = Sampler1}),
    {Flags1, Notes3} = erltrace_flags:update(Wants, [W || #session{wants = [_ | _] = W} <- All], Flags),
    {S1#state{flags = Flags1}, Notes3 ++ Notes1 ++ Notes2}.

%% For a hub that comes after this one was killed.
remember(Patterns, Sampler) ->
    erltrace_tracer:remember({Patterns, erltrace_sampler:depth(Sampler)}).

forget({Patterns, Depth}) ->
    erltrace_patterns:clear(Patterns),
    erltrace_sampler:restore(Depth);
forget(_) ->
    ok.
