%% The hub of a node: one process that owns everything that erltrace has switched on in the VM, for all scripts
%% together: trace flags, patterns, monitors. It adds what a new script needs and removes what nobody needs any more,
%% also when an agent or its client was killed, and ends with the last agent. Modules that a client has sent here are
%% then removed from the node; those of a release stay. It waits for no file, no dirty scheduler and no client. If it is
%% killed itself, with or without the agents, the library has another one started (c_src/guard.h), which removes what
%% this one had switched on.
%%
%% Every change of a pattern waits until all schedulers have noticed: on a busy node one change for a script about all
%% functions takes seconds. So all waiting requests are taken together, and their changes are applied once.
%%
%% What other tools have set stays: processes that have another tracer are left alone and counted, and functions that
%% already have a pattern keep it.
-module(erltrace_hub).

-export([attach/3, join/5, leave/1, again/1, abandon/0]).
-export([init/2, rescue/1, ending/0]).

-define(TRIES, 200).
-define(SITES, 500). % ms between two looks at the semaphores of the library's USDT sites
-define(STRAYS, 100). % ms between two looks for processes that should not have flags
-define(LOOK, 50). % ms between two checks whether a script that is not on yet is already over
-define(LINGER, 200). % ms that the hub waits for the next agent
%% What a client sends: this module is then a part of erltrace_agent (bundle.escript).
-define(SENT, erltrace_agent).
-define(OTHERS, [erltrace_tracer]).

-record(script, {refs :: [reference()],
                 client :: pid(),
                 wants = [] :: [atom()],
                 patterns = [] :: [erltrace_patterns:pattern()],
                 own = [] :: [pid() | port()]}).
%% What one turn has taken from the mailbox and not answered yet.
-record(turn, {attached = [] :: [{reference(), pid()}],
               joined = [] :: [{reference(), pid()}],
               left = [] :: [{reference(), pid()}]}).
-record(state, {library :: file:filename(),
                session :: erltrace_session:session(),
                scripts = #{} :: #{pid() => #script{}},
                flags :: erltrace_flags:state(),
                patterns :: erltrace_patterns:state(),
                sampler :: erltrace_sampler:state(),
                gauges = erltrace_gauges:new() :: erltrace_gauges:state(),
                sources :: erltrace_sources:state(),
                raised = [] :: [binary()], % USDT sites that fire …
                sites :: #script{} | undefined, % … and what they need
                tired = false :: boolean(), % they have cost too much, and are off until nobody asks for any
                due = false :: boolean(), % the library has not been told yet what the patterns are now
                applied = {[], [], []} :: wanted() | unknown}). % what is switched on

-type wanted() :: {Wants :: [term()], [erltrace_patterns:pattern()], ByScript :: [[term()]]}.

%% An agent begins, for a client. Own are processes and ports of erltrace that are never traced. Library is what erltrace_tracer:load/1 takes.
-spec attach(pid(), file:filename(), [pid() | port()]) -> pid().
attach(Client, Library, Own) ->
    attach_with({attach, Client, Own}, Library, ?TRIES).

attach_with(Request, Library, Tries) ->
    Hub = ensure(Library, Tries),
    case call(Hub, Request) of
        ok -> Hub;
        {error, Why} when Tries =:= 0 -> exit({erltrace, Why});
        {error, _} -> timer:sleep(10), attach_with(Request, Library, Tries - 1)
    end.

%% Another one may begin at the same moment, or be ending.
ensure(Library, Tries) ->
    case whereis(?MODULE) of
        undefined ->
            {Pid, Ref} = spawn_monitor(?MODULE, init, [self(), Library]),
            receive
                {Pid, ready} -> erlang:demonitor(Ref, [flush]), Pid;
                {'DOWN', Ref, process, Pid, normal} when Tries > 0 -> timer:sleep(10), ensure(Library, Tries - 1);
                {'DOWN', Ref, process, Pid, Why} -> exit({erltrace, {hub, Why}})
            end;
        Pid ->
            Pid
    end.

%% The agent's script starts. Notes say what could not be had. It may come to its end before all is switched on: IsOver is asked now
%% and then.
-spec join(pid(), [atom()], [erltrace_patterns:pattern()], [pid() | port()], fun(() -> boolean())) ->
          {ok, #{notes := [binary()]}} | {error, binary()}.
join(Hub, Wants, Patterns, Own, IsOver) ->
    joined(ask(Hub, {join, Wants, Patterns, Own}), Hub, IsOver).

joined(Ref, Hub, IsOver) ->
    case answered(Ref, ?LOOK) of
        late ->
            case IsOver() of
                true -> leave(Hub), answered(Ref, infinity);
                false -> joined(Ref, Hub, IsOver)
            end;
        Reply ->
            Reply
    end.

%% The agent's script has ended. When this returns, everything that was switched on only for it is off.
-spec leave(pid()) -> ok | {error, binary()}.
leave(Hub) ->
    call(Hub, leave).

%% The library is missing because the modules were loaded again. When this returns it is there, and everything is
%% switched on as before.
-spec again(pid()) -> ok | {error, binary()}.
again(Hub) ->
    call(Hub, again).

call(Hub, Request) ->
    answered(ask(Hub, Request), infinity).

ask(Hub, Request) ->
    Ref = erlang:monitor(process, Hub),
    Hub ! {Ref, self(), Request},
    Ref.

answered(Ref, Wait) ->
    receive
        {Ref, Reply} -> erlang:demonitor(Ref, [flush]), Reply;
        {'DOWN', Ref, process, _, _} -> {error, <<"the hub of erltrace on this node has died">>}
    after Wait ->
        late
    end.

%% The library calls this when a hub was killed.
-spec rescue(file:filename()) -> no_return().
rescue(Library) ->
    init(self(), Library).

%% A client could not attach after it had sent the modules. Without a hub, nobody else would remove them.
-spec abandon() -> ok.
abandon() ->
    spawn(?MODULE, ending, []),
    ok.

ending() ->
    erltrace_place:wait(),
    case {erltrace_agent:are_there(), whereis(?MODULE)} of
        {false, _} -> end_alone();
        {true, undefined} -> timer:sleep(?LINGER), ending(); % it has not noticed yet that its hub was killed
        _ -> ok
    end.

end_alone() ->
    try register(?MODULE, self()) of
        true ->
            case erltrace_place:close() of
                true -> finish(code:which(?SENT));
                %% Another process looks again, because an agent may have found this one and wait for its answer. Now it
                %% sees that there is no hub; if it waited on, this one would wait for it.
                false -> unregister(?MODULE), abandon()
            end
    catch
        error:badarg -> ok % others use them
    end.

init(Parent, Library) ->
    try register(?MODULE, self()) of
        true ->
            erltrace_session:hide(),
            process_flag(priority, high),
            process_flag(message_queue_data, off_heap),
            case erltrace_tracer:load(Library) of
                ok -> begin_with(Library);
                _ -> unregister(?MODULE), refuse_late(), abandon(), exit(no_library)
            end,
            Parent ! {self(), ready},
            Session = erltrace_session:new(),
            loop(#state{library = Library, session = Session,
                        flags = erltrace_flags:new(Session), patterns = erltrace_patterns:new(Session),
                        sources = erltrace_sources:new(), sampler = erltrace_sampler:new()})
    catch
        error:badarg -> exit(normal) % another was faster
    end.

%% A hub that was killed may have left flags and patterns: the library remembers.
begin_with(Library) ->
    erltrace_tracer:own([self()]),
    erltrace_tracer:guard(self(), Library),
    erltrace_tracer:loader(whereis(code_server)),
    forget(erltrace_tracer:recall()),
    erltrace_tracer:sites([]),
    erltrace_tracer:remember(none).

%% Waits a little for the next agent before it ends, so that consecutive scripts do not race with its end. After another
%% hub was killed, its agents may be busy for longer than that, and come when they notice.
loop(#state{scripts = Scripts} = S) when map_size(Scripts) =:= 0 ->
    receive
        Message -> turn(Message, S)
    after ?LINGER ->
        case not erltrace_agent:are_there() andalso erltrace_place:close() of
            true ->
                erltrace_session:destroy(S#state.session),
                try erltrace_tracer:guard(undefined, []) catch error:_ -> ok end,
                finish(code:which(?SENT));
            false ->
                loop(S) % an agent is about to begin
        end
    end;
loop(#state{flags = Flags} = S) ->
    receive
        Message -> turn(Message, S)
    after case erltrace_flags:has_strays(Flags) of true -> ?STRAYS; false -> ?SITES end ->
        loop(settle(S, #turn{}))
    end.

%% Consumers outside raise the semaphores of the library's USDT sites: bpftrace, perf and the like. What the raised ones
%% need is switched on, for as long as an agent is there.
look_at_sites(#state{scripts = Scripts, tired = Tired} = S) ->
    case map_size(Scripts) =:= 0 orelse erltrace_tracer:raised() of
        true -> set_sites([], S);
        {[], _} -> set_sites([], S#state{tired = false});
        {_, true} -> set_sites([], S#state{tired = true});
        {_, false} when Tired -> S;
        {Names, false} -> set_sites(Names, S)
    end.

set_sites(Names, #state{raised = Names} = S) ->
    S;
set_sites(Names, S) ->
    {Result, Wants} = erltrace_tracer:sites(Names),
    Patterns = [P || Result =:= ok, Name <- Names, P <- erltrace_agent:patterns(Name)],
    Script = #script{refs = [], client = self(), wants = [natives || Patterns =/= []] ++ Wants, patterns = Patterns},
    S#state{raised = Names, sites = Script}.

%% A client that found the name just before it went gets an answer.
refuse_late() ->
    receive
        {Ref, From, _} when is_reference(Ref) ->
            From ! {Ref, {error, <<"the hub was ending">>}},
            refuse_late()
    after 0 ->
        ok
    end.

%% Removes modules that a client has loaded: it gave them a file name that no release has. Until they are gone this process
%% keeps its name, so that no other hub begins with code that is being removed, and erltrace_place keeps clients from
%% sending it again. An agent that has begun with it ends here, and its client tries again. What is removed last is the
%% code of this process, which a purge would kill. So it leaves that code before: its last call is one of OTP's, which
%% does the remaining steps and ends it.
finish("sent-by-erltrace/" ++ _) ->
    IsOld = erlang:check_old_code(?SENT), % somebody has loaded the modules again: this process may run old code
    lists:foreach(fun code:purge/1, ?OTHERS),
    lists:foreach(fun code:delete/1, [?SENT || not IsOld] ++ ?OTHERS),
    lists:foreach(fun code:purge/1, ?OTHERS),
    Steps = [fun code:purge/1 | [fun code:delete/1 || IsOld] ++ [fun code:purge/1]],
    lists:zipwith(fun erlang:apply/2, Steps ++ [fun erlang:exit/1], [[?SENT] || _ <- Steps] ++ [[shutdown]]);
finish(_) ->
    unregister(?MODULE),
    refuse_late(),
    exit(shutdown). % with it ends who keeps others from beginning

%% Takes everything that waits now, in order; what comes meanwhile is for the next turn. News of the VM need the library.
turn(First, S) ->
    {message_queue_len, Waiting} = process_info(self(), message_queue_len),
    {S1, Turn} = take(Waiting, message(First, with_library(S), #turn{})),
    loop(settle(S1, Turn)).

take(0, {S, Turn}) ->
    {S, Turn};
take(N, {S, Turn}) ->
    receive
        Message -> take(N - 1, message(Message, S, Turn))
    after 0 ->
        {S, Turn}
    end.

%% Requests change only the scripts. A bad request is refused before it can touch anything that is shared.
message({Ref, Agent, Request}, S, Turn) when is_reference(Ref), is_pid(Agent) ->
    request(Request, {Ref, Agent}, S, Turn);
message({'DOWN', _, process, Pid, _}, #state{scripts = Scripts} = S, Turn) ->
    %% an agent notices its client's end itself, but it may be waiting for something just then
    Gone = [Agent || {Agent, #script{client = Client}} <- maps:to_list(Scripts), Agent =:= Pid orelse Client =:= Pid],
    [begin exit(Agent, kill), unwatch(maps:get(Agent, Scripts)) end || Agent <- Gone],
    {S#state{scripts = maps:without(Gone, Scripts)}, Turn};
message({erltrace_code, prepare, _, _} = Message, S, Turn) ->
    tell_loads(Message, S),
    {S, Turn};
message({erltrace_code, load, Module, _} = Message, #state{patterns = Patterns, sources = Sources} = S, Turn) ->
    tell_loads(Message, S),
    Patterns1 = erltrace_patterns:again(Module, Patterns),
    {S#state{patterns = Patterns1, due = S#state.due orelse Patterns1 =/= Patterns,
             sources = erltrace_sources:message(Message, Sources)},
     Turn};
message(Message, #state{sources = Sources} = S, Turn) ->
    {S#state{sources = erltrace_sources:message(Message, Sources)}, Turn}.

%% Those who have counters in the code.
tell_loads(Message, #state{scripts = Scripts}) ->
    [Agent ! Message || {Agent, #script{wants = Wants}} <- maps:to_list(Scripts), lists:member(loads, Wants)].

request({attach, Client, Own}, {_, Agent} = From, #state{scripts = Scripts} = S, Turn) ->
    case is_pid(Client) andalso is_own(Own) of
        true ->
            case Scripts of
                #{Agent := Before} -> unwatch(Before);
                _ -> ok
            end,
            Script = #script{refs = [erlang:monitor(process, P) || P <- [Agent, Client]], client = Client, own = Own},
            {S#state{scripts = Scripts#{Agent => Script}}, Turn#turn{attached = [From | Turn#turn.attached]}};
        false ->
            refuse(From, <<"the hub of erltrace does not know such processes">>, S, Turn)
    end;
request({join, Wants, Patterns, Own}, {_, Agent} = From, #state{scripts = Scripts} = S, Turn) ->
    case Scripts of
        #{Agent := Script} ->
            case are_wants(Wants) andalso erltrace_patterns:are_patterns(Patterns) andalso is_own(Own) of
                true ->
                    Joined = Script#script{wants = Wants, patterns = Patterns, own = Own},
                    {S#state{scripts = Scripts#{Agent := Joined}}, Turn#turn{joined = [From | Turn#turn.joined]}};
                false ->
                    refuse(From, <<"the hub of erltrace does not know what the script wants">>, S, Turn)
            end;
        _ ->
            refuse(From, <<"the agent is not attached">>, S, Turn)
    end;
request(leave, {_, Agent} = From, #state{scripts = Scripts} = S, Turn) ->
    Left = case Scripts of
               #{Agent := Script} -> Scripts#{Agent := Script#script{wants = [], patterns = []}};
               _ -> Scripts
           end,
    {S#state{scripts = Left}, Turn#turn{left = [From | Turn#turn.left]}};
request(again, From, S, Turn) ->
    {S, Turn#turn{left = [From | Turn#turn.left]}};
request(_, From, S, Turn) ->
    refuse(From, <<"the hub of erltrace does not know this request">>, S, Turn).

%% Nothing is monitored for a script that is gone, because a client may live on for long.
unwatch(#script{refs = Refs}) ->
    lists:foreach(fun(Ref) -> erlang:demonitor(Ref, [flush]) end, Refs).

refuse(From, Text, S, Turn) ->
    answer(From, {error, Text}),
    {S, Turn}.

answer({Ref, Agent}, Reply) ->
    Agent ! {Ref, Reply}.

is_own(Own) ->
    every(fun(P) -> is_pid(P) orelse is_port(P) end, Own).

are_wants(Wants) ->
    every(fun({only, Pids}) -> every(fun(P) -> is_pid(P) andalso node(P) =:= node() end, Pids);
             ({one_of, N}) -> is_integer(N) andalso N > 0;
             ({frames, N}) -> is_integer(N) andalso N > 0;
             (Want) -> is_atom(Want)
          end,
          Wants).

every(Fun, [First | Rest]) -> Fun(First) andalso every(Fun, Rest);
every(_, List) -> List =:= [].

%% Agents that begin need not wait for what others change. A script that joins has its wants applied even if they are
%% nothing new, because a process may have lost another tool's tracer.
settle(S, #turn{attached = Attached, joined = Joined, left = Left}) ->
    S0 = look_at_sites(remember_patterns(with_library(S))),
    erltrace_flags:prune(S0#state.flags),
    S1 = case Attached of
             [] -> S0;
             _ -> set_own(S0)
         end,
    [answer(From, ok) || From <- lists:reverse(Attached)],
    Wanted = wanted(S1),
    {S2, Notes} = case S1#state.applied of
                      Wanted when Joined =:= [] -> {S1, []};
                      _ -> apply_changes(Wanted, S1)
                  end,
    [answer(From, ok) || From <- lists:reverse(Left)],
    [answer(From, {ok, #{notes => notes(Agent, Notes, S2)}}) || {_, Agent} = From <- lists:reverse(Joined)],
    S2.

%% Somebody may have loaded the modules again: then the library belongs to the old code, and what was switched on is
%% unknown.
with_library(#state{library = Library} = S) ->
    case erltrace_tracer:is_loaded() of
        true -> S;
        false ->
            ok = erltrace_tracer:load(Library),
            erltrace_tracer:guard(self(), Library),
            erltrace_tracer:loader(whereis(code_server)),
            S#state{applied = unknown, flags = erltrace_flags:uncertain(S#state.flags)}
    end.

%% The notes that concern what the agent's script wants.
notes(Agent, Notes, #state{scripts = Scripts, patterns = State}) ->
    case Scripts of
        #{Agent := #script{wants = Wants, patterns = Patterns}} ->
            [Text || {About, Text} <- Notes, lists:any(fun(W) -> lists:member(W, Wants) end, About)]
                ++ erltrace_patterns:kept(Wants, Patterns, State);
        _ ->
            [] % it has ended meanwhile
    end.

%% Tells everybody which processes and ports are erltrace's own.
set_own(#state{scripts = Scripts, sampler = Sampler, gauges = Gauges, flags = Flags} = S) ->
    Own = erltrace_sampler:processes(Sampler) ++ erltrace_gauges:processes(Gauges) ++ maps:keys(Scripts)
        ++ lists:append([More || #script{own = More} <- maps:values(Scripts)]),
    erltrace_tracer:own([self() | Own]),
    S#state{flags = erltrace_flags:shield([P || P <- Own, is_pid(P)], Flags)}.

%% What all scripts want together.
wanted(#state{scripts = Scripts, sites = Sites}) ->
    All = [Sites || Sites =/= undefined] ++ maps:values(Scripts),
    {lists:usort(lists:append([W || #script{wants = W} <- All])),
     lists:append([P || #script{patterns = P} <- All]),
     [W || #script{wants = [_ | _] = W} <- All]}.

%% Events begin when everything is prepared for them, and end first. With very many processes or functions this takes
%% long. If all scripts that want something have gone meanwhile, what was done so far is undone.
apply_changes({Wants, Wanted, ByScript} = New, #state{patterns = Patterns, flags = Flags} = S) ->
    Touched = erltrace_patterns:touched(Wants, Wanted, Patterns),
    remember(true, Touched, S#state.sampler),
    {Flags0, _} = case ByScript of
                      [] -> erltrace_flags:update([], [], Flags);
                      _ -> {Flags, []}
                  end,
    case watched(fun() -> erltrace_patterns:update(Wants, Wanted, Patterns) end, ByScript, S) of
        {ok, {Patterns1, Notes1}} ->
            {S1, Notes2} = apply_sources(Wants, S#state{patterns = Patterns1, flags = Flags0}),
            SetFlags = fun() ->
                case ByScript of
                    [] -> {S1#state.flags, []}; % they have gone before the patterns
                    _ -> erltrace_flags:update(Wants, ByScript, S1#state.flags)
                end
            end,
            case watched(SetFlags, ByScript, S) of
                {ok, {Flags2, Notes3}} ->
                    remember(erltrace_flags:is_set(Flags2), erltrace_patterns:touched([], [], Patterns1), S1#state.sampler),
                    {S1#state{flags = Flags2, applied = New}, Notes3 ++ Notes1 ++ Notes2};
                pointless ->
                    {undo(Touched, S1), []}
            end;
        pointless ->
            {undo(Touched, S), []}
    end.

apply_sources(Wants, S) ->
    Sampler = erltrace_sampler:update(Wants, S#state.sampler),
    {Gauges, Notes1} = erltrace_gauges:update(Wants, S#state.gauges),
    {Sources, Notes2} = erltrace_sources:update(Wants, S#state.sources),
    {set_own(S#state{sources = Sources, sampler = Sampler, gauges = Gauges}), Notes1 ++ Notes2}.

%% Removing is never pointless.
watched(Work, [], _) ->
    {ok, Work()};
watched(Work, _, S) ->
    erltrace_session:watched(fun() -> is_nobody_left(S) end, Work).

%% Returns whether nobody wants anything any more, from what waits in the mailbox. It stays there for the next turn.
is_nobody_left(#state{scripts = Scripts} = S) ->
    case ends() of
        [] ->
            false;
        Ends ->
            [self() ! Message || {Message, _} <- Ends],
            Gone = [P || {_, P} <- Ends],
            Left = maps:filter(fun(Agent, #script{client = Client}) ->
                                       not lists:member(Agent, Gone) andalso not lists:member(Client, Gone)
                               end,
                               Scripts),
            element(3, wanted(S#state{scripts = Left})) =:= []
    end.

ends() ->
    receive
        {'DOWN', _, process, P, _} = Message -> [{Message, P} | ends()];
        {Ref, Agent, leave} = Message when is_reference(Ref) -> [{Message, Agent} | ends()]
    after 0 ->
        []
    end.

%% Removes all flags and patterns. The next turn, which finds those who have gone, does the rest.
undo(Touched, #state{session = Before, flags = Flags, sampler = Sampler} = S) ->
    Session = case erltrace_session:is_own(Before) of
                  true ->
                      erltrace_session:destroy(Before),
                      erltrace_session:new();
                  false ->
                      erltrace_flags:clear(Flags),
                      erltrace_patterns:clear(Touched),
                      Before
              end,
    remember(false, none, Sampler),
    S#state{session = Session, flags = erltrace_flags:cleared(Session, Flags), patterns = erltrace_patterns:new(Session),
            applied = unknown}.

remember_patterns(#state{due = false} = S) ->
    S;
remember_patterns(#state{flags = Flags, patterns = Patterns, sampler = Sampler} = S) ->
    remember(erltrace_flags:is_set(Flags), erltrace_patterns:touched([], [], Patterns), Sampler),
    S#state{due = false}.

%% For a hub that comes after this one was killed.
remember(HasFlags, Patterns, Sampler) ->
    erltrace_tracer:remember({HasFlags, Patterns, erltrace_sampler:depth(Sampler)}).

forget({HasFlags, Patterns, Depth}) ->
    HasFlags andalso erltrace_flags:clear(erltrace_flags:new(shared)),
    erltrace_patterns:clear(Patterns),
    erltrace_sampler:restore(Depth);
forget(_) ->
    ok.
