%% The hub: requests of many scripts that wait together are applied together, and each gets its own answer.
-module(erltrace_hub_SUITE).
-include_lib("stdlib/include/assert.hrl").

-compile([export_all, nowarn_export_all]).

-import(erltrace_test, [start/1, wait/1, wait/2, flags/0]).

-define(COUNT, "erlang*:shop:add/2:entry { @ = count(); }").

all() ->
    [applied_once, bad_ones, notes, ends_are_no_change, come_and_go, timers_wait, few_steps, children_of_untraced,
     clients_that_stay, not_the_hub].

init_per_suite(Config) ->
    ok = erltrace_tracer:load(filename:join(code:priv_dir(erltrace), "erltrace_tracer")),
    {module, shop} = code:ensure_loaded(shop),
    seen(),
    Config.

end_per_suite(Config) ->
    unchanged(erltrace_session),
    Config.

%% The VM does not count calls of erltrace's own processes, because they hide. These tests are about their calls, so they
%% do not hide here.
seen() ->
    changed(erltrace_session,
            fun({function, At, hide, 0, _}) -> {function, At, hide, 0, [{clause, At, [], [], [{atom, At, ok}]}]};
               (Form) -> Form
            end).

%% Loads a module with some of its functions changed.
changed(Module, Change) ->
    {ok, {_, [{abstract_code, {_, Forms}}]}} = beam_lib:chunks(code:which(Module), [abstract_code]),
    {ok, Module, Code} = compile:forms([Change(F) || F <- Forms]),
    code:purge(Module),
    {module, Module} = code:load_binary(Module, code:which(Module), Code).

unchanged(Module) ->
    code:purge(Module),
    {module, Module} = code:load_file(Module).

init_per_testcase(_, Config) ->
    {module, _} = code:ensure_loaded(erltrace_flags),
    1 = erlang:trace_pattern({erltrace_flags, update, 3}, true, [call_count]),
    Config.

end_per_testcase(_, _) ->
    erlang:trace_pattern({erltrace_flags, update, 3}, false, [call_count]),
    erlang:trace_pattern({erltrace_session, function, 3}, false, [call_count]),
    erltrace_test:finish().

%% A real script beside the agents of the tests: without one the tracer tells the VM to take the flags away.
script() ->
    H = start("erlang*:::process-register { @ = count(); }"),
    1 = applications(),
    H.

%% How often the hub has changed flags since the test began, or since the last time.
applications() ->
    {call_count, N} = erlang:trace_info({erltrace_flags, update, 3}, call_count),
    erlang:trace_pattern({erltrace_flags, update, 3}, restart, [call_count]),
    N.

%% -- agents: processes that do what they are told and say what came of it

agents(N) ->
    Agents = [spawn(fun agent/0) || _ <- lists:seq(1, N)],
    [Hub] = lists:usort([ask(A, fun() -> attach() end) || A <- Agents]),
    {Hub, Agents}.

attach() ->
    erltrace_hub:attach(self(), filename:join(code:priv_dir(erltrace), "erltrace_tracer"), []).

agent() ->
    put(erltrace_test, agent),
    receive
        {From, Fun} -> From ! {self(), Fun()}, agent();
        stop -> ok
    end.

ask(Agent, Fun) ->
    tell(Agent, Fun),
    said(Agent).

tell(Agent, Fun) ->
    Agent ! {self(), Fun}.

said(Agent) ->
    receive {Agent, What} -> What after 30000 -> error({silent, Agent}) end.

%% All of it is in the hub's mailbox before the hub looks at the first.
together(Hub, N, Fun) ->
    true = erlang:suspend_process(Hub),
    try
        Fun(),
        wait(fun() -> {message_queue_len, Len} = process_info(Hub, message_queue_len), Len >= N end)
    after
        true = erlang:resume_process(Hub)
    end.

join(Hub, Wants, Patterns) ->
    fun() -> erltrace_hub:join(Hub, Wants, Patterns, [], fun() -> false end) end.

leave(Hub) ->
    fun() -> erltrace_hub:leave(Hub) end.

is_traced(MFA) ->
    erltrace_test:info(MFA, traced) =/= {traced, false}.

stop(Agents) ->
    [A ! stop || A <- Agents].

%% -- tests

functions() ->
    [{shop, add, 2}, {shop, fill, 1}, {lists, seq, 2}, {lists, reverse, 1}, {ordsets, union, 2}, {ordsets, subtract, 2}].

applied_once(_) ->
    H = script(),
    {Hub, Agents} = agents(6),
    Scripts = lists:zip(Agents, functions()),
    0 = applications(),
    together(Hub, 6, fun() -> [tell(A, join(Hub, [call], [{MFA, []}])) || {A, MFA} <- Scripts] end),
    [?assertEqual({ok, #{notes => []}}, said(A)) || A <- Agents],
    ?assertEqual(1, applications()),
    ?assert(lists:all(fun is_traced/1, functions())),
    ?assertEqual([arity, call, procs], flags()),
    %% two leave, one is killed, one begins
    [A1, A2, A3 | Others] = Agents,
    New = spawn(fun agent/0),
    together(Hub, 4, fun() ->
                             tell(A1, leave(Hub)),
                             tell(A2, leave(Hub)),
                             exit(A3, kill),
                             tell(New, fun() -> attach() end)
                     end),
    ok = said(A1),
    ok = said(A2),
    Hub = said(New),
    ?assertEqual(1, applications()),
    {Gone, Kept} = lists:split(3, functions()),
    ?assertNot(lists:any(fun is_traced/1, Gone)),
    ?assert(lists:all(fun is_traced/1, Kept)),
    %% the one that left comes back while the others go: the flags stay
    together(Hub, 4, fun() -> [tell(A, leave(Hub)) || A <- Others], tell(A1, join(Hub, [call, send], [{{shop, add, 2}, [caller]}])) end),
    [ok = said(A) || A <- Others],
    {ok, #{notes := []}} = said(A1),
    ?assertEqual(1, applications()),
    ?assert(is_traced({shop, add, 2})),
    ?assertNot(lists:any(fun is_traced/1, functions() -- [{shop, add, 2}])),
    ?assertEqual([arity, call, procs, send], flags()),
    stop([New | Agents]),
    ok = erltrace:close(H).

bad_ones(_) ->
    H = script(),
    {Hub, [A, B, C, D, E, F]} = agents(6),
    Stranger = spawn(fun agent/0),
    Remote = binary_to_term(<<131, 88, 119, 3, "a@b", 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1>>),
    true = is_pid(Remote),
    Bad = [{B, join(Hub, [call, {only, [Remote]}], [])},
           {C, join(Hub, [call], [{{shop, add, 300}, []}])},
           {D, join(Hub, [call | send], [{{shop, add, 2}, [nothing]}])},
           {E, fun() -> erltrace_hub:join(Hub, [call], [], [nobody], fun() -> false end) end},
           {Stranger, join(Hub, [call], [{{shop, fill, 1}, []}])}],
    together(Hub, 7, fun() ->
                             tell(A, join(Hub, [call], [{{shop, add, 2}, []}])),
                             [tell(P, Request) || {P, Request} <- Bad],
                             tell(F, join(Hub, [garbage_collection], []))
                     end),
    {ok, #{notes := []}} = said(A),
    {ok, #{notes := []}} = said(F),
    [{error, <<"the hub of erltrace does not know what the script wants">>} = said(P) || P <- [B, C, D, E]],
    {error, <<"the agent is not attached">>} = said(Stranger),
    ?assertEqual(1, applications()),
    ?assertEqual([arity, call, garbage_collection, procs], flags()),
    ?assert(is_traced({shop, add, 2})),
    ?assertNot(is_traced({shop, fill, 1})),
    Ref = make_ref(),
    Hub ! {Ref, self(), {what, is_this}},
    {error, <<"the hub of erltrace does not know this request">>} = receive {Ref, Reply} -> Reply after 30000 -> nothing end,
    ?assert(is_process_alive(Hub)),
    stop([A, B, C, D, E, F, Stranger]),
    ok = erltrace:close(H).

%% Each is told of what it wants itself.
notes(_) ->
    case erltrace_session:is_separate() of
        true -> {skip, "with trace sessions nothing is shared"};
        false -> each_its_own()
    end.

each_its_own() ->
    H = script(),
    erlang:trace_pattern({lists, seq, 2}, true, [local]),
    {Hub, [A, B, C]} = agents(3),
    together(Hub, 3, fun() ->
                             tell(A, join(Hub, [call], [{{lists, seq, 2}, []}, {{shop, add, 2}, []}])),
                             tell(B, join(Hub, [call], [{{shop, add, 2}, []}])),
                             tell(C, join(Hub, [], []))
                     end),
    {ok, #{notes := [<<"1 function keeps the trace pattern of another tool", _/binary>>]}} = said(A),
    {ok, #{notes := []}} = said(B),
    {ok, #{notes := []}} = said(C),
    stop([A, B, C]),
    wait(fun() -> not is_traced({shop, add, 2}) end),
    ?assert(is_traced({lists, seq, 2})),
    erlang:trace_pattern({lists, seq, 2}, false, [local]),
    ok = erltrace:close(H).

%% A script that ends in order says so first; that its process goes then changes nothing.
ends_are_no_change(_) ->
    H = script(),
    {Hub, [A, B]} = agents(2),
    {ok, _} = ask(A, join(Hub, [call], [{{shop, add, 2}, []}])),
    {ok, _} = ask(B, join(Hub, [call], [{{shop, fill, 1}, []}])),
    ok = ask(A, leave(Hub)),
    3 = applications(),
    Ref = monitor(process, A),
    stop([A]),
    receive {'DOWN', Ref, process, A, _} -> ok end,
    {error, _} = ask(B, join(Hub, [nonsense | x], [])), % the hub has seen it
    ?assertEqual(0, applications()),
    ?assert(is_traced({shop, fill, 1})),
    stop([B]),
    ok = erltrace:close(H).

%% Scripts of many processes at once, each about its own process, while others call as fast as they can: each counts exactly
%% what it is about.
come_and_go(_) ->
    Callers = [spawn_link(fun spin/0) || _ <- lists:seq(1, 4)],
    Workers = [spawn_monitor(fun() -> exit({seen, [rounds(I, R) || R <- lists:seq(1, 3)]}) end) || I <- lists:seq(1, 8)],
    Seen = [receive {'DOWN', Ref, process, Pid, What} -> What end || {Pid, Ref} <- Workers],
    [begin unlink(P), exit(P, kill) end || P <- Callers],
    Expected = [{seen, [I + R || R <- lists:seq(1, 3)]} || I <- lists:seq(1, 8)],
    ?assertEqual(Expected, Seen),
    %% 24 scripts: a change for each beginning and each end are 48
    Changes = applications(),
    ?assert(Changes > 0),
    ?assert(Changes =< 48).

spin() ->
    lists:seq(1, 10),
    spin().

rounds(I, R) ->
    Program = io_lib:format("erlang*:::function-entry /copyinstr(arg0) == \"~s\" && copyinstr(arg1) == \"shop:add/2\"/ { @ = count(); }",
                            [pid_to_list(self())]),
    H = start(lists:flatten(Program)),
    shop:fill(I + R),
    %% all of them at the first time, whatever the schedulers do for others
    {ok, [{count, [], N}]} = erltrace:walk(H),
    ok = erltrace:close(H),
    N.

%% The clock of a script begins to strike when its events come: not while the hub is still at work.
timers_wait(_) ->
    First = start(?COUNT),
    {ok, H} = erltrace:open(),
    ok = erltrace:compile(H, "tick-10ms { trace(walltimestamp); exit(0); }"),
    Hub = whereis(erltrace_hub),
    Self = self(),
    together(Hub, 1, fun() ->
                             spawn_link(fun() -> Self ! {went, erltrace:go(H)} end),
                             wait(fun() -> {message_queue_len, Len} = process_info(Hub, message_queue_len), Len >= 1 end),
                             timer:sleep(100),
                             Self ! {resumed, os:system_time(nanosecond)}
                     end),
    Resumed = receive {resumed, Time} -> Time after 15000 -> error(not_resumed) end,
    ok = receive {went, Result} -> Result after 30000 -> error(not_on) end,
    Struck = struck(H, 600),
    ?assert(Struck >= Resumed + 10000000),
    ok = erltrace:close(H),
    ok = erltrace:close(First).

struck(H, Tries) when Tries > 0 ->
    case erltrace:consume(H) of
        {ok, [{probe, _, Struck} | _]} -> Struck;
        _ -> timer:sleep(50), struck(H, Tries - 1)
    end.

%% A script about all BIFs sets and takes away far fewer patterns than there are (about half, which changes with the OTP), on just
%% these functions, whoever else has a pattern in their modules.
few_steps(_) ->
    H = script(),
    {Hub, [A, B]} = agents(2),
    {module, _} = code:ensure_loaded(erltrace_session),
    1 = erlang:trace_pattern({erltrace_session, function, 3}, true, [call_count]),
    BIFs = lists:sort([{M, F, N} || {M, F, N, 1} <- erltrace_patterns:natives()]),
    Modules = lists:usort([M || {M, _, _} <- BIFs]),
    Traced = fun() -> [MFA || M <- Modules, {F, N} <- lists:sort(erlang:get_module_info(M, functions)), MFA <- [{M, F, N}], is_traced(MFA)] end,
    %% loading of code is always watched
    Others = [{erlang, finish_loading, 1}, {erlang, load_module, 2}],
    All = lists:usort(BIFs ++ Others),
    {ok, _} = ask(A, join(Hub, [call], [{MFA, []} || MFA <- BIFs])),
    ?assertEqual(All, Traced()),
    On = steps(),
    ok = ask(A, leave(Hub)),
    ?assertEqual([], Traced()),
    Off = steps(),
    Least = lists:sum([least(M, [{F, N} || {Of, F, N} <- All, Of =:= M]) || M <- Modules]),
    ct:log("~p BIFs: ~p patterns, of which ~p are needed, and ~p", [length(BIFs), On, Least, Off]),
    ?assert(Least < length(BIFs)),
    ?assert(On =< Least + length(Others)), % which are told more of
    ?assert(Off =< length(Modules) + length(Others)),
    %% beside another script, which stays
    {ok, _} = ask(B, join(Hub, [call], [{{lists, seq, 2}, [caller]}, {{erlang, apply, 2}, []}])),
    {ok, _} = ask(A, join(Hub, [call], [{MFA, []} || MFA <- BIFs])),
    ?assertEqual(lists:usort([{lists, seq, 2}, {erlang, apply, 2} | All]), Traced()),
    ok = ask(A, leave(Hub)),
    ?assertEqual(lists:usort([{lists, seq, 2}, {erlang, apply, 2} | Others]), Traced()),
    %% functions whose returns are told are never more than those that are meant, not even for a moment
    steps(),
    {ok, _} = ask(A, join(Hub, [call], [{MFA, [exception]} || MFA <- BIFs])),
    ?assertEqual(lists:usort([{lists, seq, 2}, {erlang, apply, 2} | All]), Traced()),
    ?assert(steps() > length(BIFs) * 2 div 3),
    stop([A, B]),
    ok = erltrace:close(H).

%% The fewest patterns that reach just these functions of a module: theirs, or one for all and those of the others.
least(Module, Meant) ->
    All = erlang:get_module_info(Module, functions),
    min(names(Meant, All), 1 + names(All -- Meant, All)).

%% One pattern for a name that is meant with every arity, else one for each function.
names(Meant, All) ->
    length(lists:usort([case [F || {N, _} = F <- All -- Meant, N =:= Name] of
                            [] -> Name;
                            _ -> Function
                        end || {Name, _} = Function <- Meant])).

%% How many patterns were set since the last time.
steps() ->
    {call_count, N} = erlang:trace_info({erltrace_session, function, 3}, call_count),
    erlang:trace_pattern({erltrace_session, function, 3}, restart, [call_count]),
    N.

%% A process that is not traced itself, and one of erltrace's own: their children are traced as all others, also those that they are linked to.
children_of_untraced(_) ->
    {ok, H} = erltrace:open([{untraced, [self()]}]),
    ok = erltrace:compile(H, ?COUNT),
    ok = erltrace:go(H),
    shop:fill(5), % not counted
    Children = [spawn_opt(fun() -> shop:fill(1) end, [monitor | Link]) || I <- lists:seq(1, 17), Link <- [[link || I rem 2 =:= 0]]],
    [receive {'DOWN', Ref, process, Pid, Why} -> normal = Why end || {Pid, Ref} <- Children],
    {ok, [{count, [], N}]} = erltrace:walk(H),
    ?assertEqual(17, N),
    ok = erltrace:close(H).

%% A client that lives on after its scripts is not watched for those that are gone.
clients_that_stay(_) ->
    H = script(),
    Client = spawn(fun agent/0),
    Path = filename:join(code:priv_dir(erltrace), "erltrace_tracer"),
    Hub = come_and_die(Client, Path),
    Hub = come_and_die(Client, Path),
    ?assertEqual([], [P || {process, P} <- watched(Hub), P =:= Client]),
    Client ! stop,
    ok = erltrace:close(H).

%% An agent for the client comes and is killed.
come_and_die(Client, Path) ->
    Agent = spawn(fun agent/0),
    Hub = ask(Agent, fun() -> erltrace_hub:attach(Client, Path, []) end),
    ?assert(lists:member({process, Client}, watched(Hub))),
    exit(Agent, kill),
    wait(fun() -> not lists:member({process, Agent}, watched(Hub)) end),
    Hub.

watched(Hub) ->
    {monitors, Watched} = process_info(Hub, monitors),
    Watched.

%% Somebody who looks whether the modules can be removed has the hub's name for a moment. An agent that begins just then
%% and finds it is not left waiting: whoever looks would wait for that agent's client.
not_the_hub(_) ->
    undefined = whereis(erltrace_hub),
    Second = fun(At) ->
                     {call, At, {remote, At, {atom, At, timer}, {atom, At, sleep}}, [{integer, At, 1000}]}
             end,
    changed(erltrace_place,
            fun({function, At, close, 0, [{clause, C, [], [], Body}]}) ->
                    {function, At, close, 0, [{clause, C, [], [], [Second(At) | Body]}]};
               (Form) -> Form
            end),
    try
        erltrace_hub:abandon(),
        wait(fun() -> is_pid(whereis(erltrace_hub)) end),
        NotHub = whereis(erltrace_hub),
        Client = spawn(fun agent/0),
        true = ask(Client, fun() -> register(erltrace_loading, self()) end),
        tell(Client, fun attach/0),
        Hub = said(Client),
        true = is_pid(Hub) andalso Hub =/= NotHub,
        Client ! stop
    after
        erltrace_test:finish(),
        unchanged(erltrace_place)
    end.
