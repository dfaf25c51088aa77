%% However a script ends, nothing is left behind; and scripts that run by themselves.
-module(erltrace_life_SUITE).
-include_lib("common_test/include/ct.hrl").
-include_lib("stdlib/include/assert.hrl").

-compile([export_all, nowarn_export_all]).

-import(erltrace_test, [start/1, start/2, wait/1, is_clean/0, port_pid/1]).

-define(COUNT, "erlang*:shop:add/2:entry { @ = count(); }").

all() ->
    [owner_killed, under_load, owner_ends, handle_killed, program_killed, agent_killed, agent_killed_asked,
     hub_killed_before, hub_killed_asked,
     forgotten_handles, silent_handle, own_processes, runner_messages, runner_exits, runner_error, runner_callback,
     runner_callback_stops, runner_supervised, subscription, subscriber_killed].

end_per_testcase(_, _) ->
    erltrace_test:finish().

is_gone(OsPid) -> not filelib:is_dir("/proc/" ++ integer_to_list(OsPid)).

owned(Fun) ->
    Self = self(),
    {Owner, Ref} = spawn_monitor(fun() ->
                                         H = start(?COUNT),
                                         Self ! {started, H, port_pid(H)},
                                         Fun()
                                 end),
    receive
        {started, H, OsPid} -> demonitor(Ref, [flush]), {Owner, H, OsPid};
        {'DOWN', Ref, _, _, Why} -> error(Why)
    end.

owner_killed(_) ->
    [begin
         {Owner, H, OsPid} = owned(fun() -> timer:sleep(infinity) end),
         ?assertNot(is_clean()),
         exit(Owner, kill),
         wait(fun() -> is_gone(OsPid) andalso not is_process_alive(H) andalso is_off() end)
     end || _ <- lists:seq(1, 200)],
    wait(fun erltrace_test:is_clean/0).

%% The hub's process may still wait for the next script.
is_off() ->
    erltrace_test:flags() =:= [] andalso erltrace_test:info({shop, add, 2}, traced) =:= {traced, false}
        andalso element(1, erltrace_tracer:state()) =:= 0.

%% Scripts come and go while four processes call the traced function as fast as they can.
under_load(_) ->
    Callers = [spawn_link(fun spin/0) || _ <- lists:seq(1, 4)],
    [begin
         H = start("erlang*:shop:add/2:entry { @[probefunc] = count(); @q[pid] = quantize(timestamp); } "
                   "erlang*:shop:add/2:return { @r = count(); }"),
         wait(fun() ->
                      case erltrace:walk(H) of
                          {ok, Elements} -> length([x || {count, _, N} <- Elements, N > 0]) =:= 2;
                          ok -> false
                      end
              end),
         ok = erltrace:close(H)
     end || _ <- lists:seq(1, 30)],
    [begin unlink(P), exit(P, kill) end || P <- Callers].

spin() ->
    shop:add(1, []),
    spin().

owner_ends(_) ->
    {_, H, OsPid} = owned(fun() -> ok end),
    wait(fun() -> is_gone(OsPid) andalso not is_process_alive(H) andalso is_clean() end).

handle_killed(_) ->
    H = start(?COUNT),
    OsPid = port_pid(H),
    exit(H, kill),
    wait(fun() -> is_gone(OsPid) andalso is_clean() end),
    {error, {dtrace, port, _}} = erltrace:walk(H).

program_killed(_) ->
    H = start(?COUNT),
    os:cmd("kill -9 " ++ integer_to_list(port_pid(H))),
    wait(fun erltrace_test:is_clean/0),
    {error, {dtrace, port, Text}} = erltrace:walk(H),
    ?assertNotEqual(nomatch, string:find(Text, "has ended")),
    ok = erltrace:close(H),
    ?assertNot(is_process_alive(H)).

agent_killed(_) ->
    H = start(?COUNT),
    [Agent] = [P || P <- processes(), {initial_call, {erltrace_agent, init, _}} <- [process_info(P, initial_call)]],
    exit(Agent, kill),
    wait(fun erltrace_test:is_clean/0),
    {error, {dtrace, Where, _}} = erltrace:walk(H),
    ?assert(lists:member(Where, [walk, work])),
    ok = erltrace:walk(H),
    #{state := stopped} = erltrace:status(H),
    ok = erltrace:close(H).

%% The agent's end is noticed by a turn of the handle's own. Who asked during that turn is told, not who asks afterwards.
agent_killed_asked(_) ->
    H = start(?COUNT),
    [Agent] = [P || P <- processes(), {initial_call, {erltrace_agent, init, _}} <- [process_info(P, initial_call)]],
    Program = integer_to_list(port_pid(H)),
    os:cmd("kill -STOP " ++ Program),
    wait(fun() -> lists:any(fun({_, tick, tick}) -> true; (_) -> false end, tuple_to_list(sys:get_state(H))) end),
    Self = self(),
    spawn_link(fun() -> Self ! {walked, erltrace:walk(H)} end),
    wait(fun() -> [1] =:= [queue:len(Q) || Q <- tuple_to_list(sys:get_state(H)), queue:is_queue(Q)] end),
    exit(Agent, kill),
    wait(fun erltrace_test:is_clean/0),
    os:cmd("kill -CONT " ++ Program),
    receive {walked, Walked} -> {error, {dtrace, work, _}} = Walked after 15000 -> error(no_answer) end,
    ok = erltrace:walk(H),
    ok = erltrace:close(H).

%% A hub that dies before the script is on is replaced, and the script runs.
hub_killed_before(_) ->
    {ok, H} = erltrace:open([]),
    ok = erltrace:compile(H, ?COUNT),
    Hub = whereis(erltrace_hub),
    Ref = monitor(process, Hub),
    exit(Hub, kill),
    receive {'DOWN', Ref, _, _, killed} -> ok after 15000 -> error(not_killed) end,
    ok = erltrace:go(H),
    counts(H).

%% The same if it dies while the agent waits for its answer.
hub_killed_asked(_) ->
    Other = start(?COUNT),
    Hub = whereis(erltrace_hub),
    Self = self(),
    {ok, H} = erltrace:open([]),
    ok = erltrace:compile(H, ?COUNT),
    erlang:suspend_process(Hub),
    {message_queue_len, Before} = process_info(Hub, message_queue_len),
    spawn_link(fun() -> Self ! {went, erltrace:go(H)} end),
    %% the hub may be hidden: nobody sees what its messages are
    wait(fun() -> {message_queue_len, Len} = process_info(Hub, message_queue_len), Len > Before end),
    exit(Hub, kill),
    receive {went, Went} -> ok = Went after 30000 -> error(not_on) end,
    ?assertNotEqual(Hub, whereis(erltrace_hub)),
    counts(H),
    {error, {dtrace, _, _}} = erltrace:walk(Other),
    ok = erltrace:close(Other).

counts(H) ->
    shop:add(1, []),
    wait(fun() -> {ok, Elements} = erltrace:walk(H), [1] =:= [N || {count, _, N} <- Elements] end),
    ok = erltrace:close(H).

%% Handles in a row that nobody closes.
forgotten_handles(_) ->
    [begin
         {_, Ref} = spawn_monitor(fun() -> start(?COUNT), shop:fill(10) end),
         receive {'DOWN', Ref, process, _, Why} -> normal = Why end
     end || _ <- lists:seq(1, 40)],
    wait(fun erltrace_test:is_clean/0).

%% Nobody asks for a second; the script goes on, and its numbers are right.
silent_handle(_) ->
    H = start(?COUNT),
    shop:fill(7),
    timer:sleep(1000),
    shop:fill(7),
    {ok, [{count, [], 14}]} = erltrace:walk(H),
    ok = erltrace:close(H).

%% What erltrace itself does is not to be seen.
own_processes(_) ->
    H = start("erlang*:::message-send, erlang*:::process-scheduled { @[copyinstr(arg0)] = count(); }"),
    timer:sleep(600),
    {ok, Elements} = erltrace:walk(H),
    Seen = [P || {count, [P], _} <- Elements],
    ?assertNot(lists:member(pid_to_list(H), Seen)),
    ok = erltrace:close(H).

%% -- runners ---------------------------------------------------------------------------------------------------------

next(Runner) ->
    receive {erltrace, Runner, Message} -> Message after 15000 -> error(nothing_came) end.

%% So many calls were counted; a snapshot may come in the middle of them.
counted(Runner, Keys, N) ->
    case next(Runner) of
        {snapshot, [{Name, count, Keys, N}]} -> Name;
        {snapshot, [{_, count, Keys, Part}]} when Part < N -> counted(Runner, Keys, N - Part)
    end.

runner_messages(_) ->
    {ok, R} = erltrace:start_link("BEGIN { printf(\"begun\"); } erlang*:shop:add/2:entry { @n[probefunc] = count(); }",
                                  [{interval, 50}]),
    {records, [{printf, {"dtrace", "", "", "BEGIN"}, "begun"}]} = next(R),
    shop:fill(5),
    "n" = counted(R, ["add/2"], 5),
    shop:fill(2),
    ok = erltrace:unsubscribe(R),
    "n" = counted(R, ["add/2"], 2),
    ?assertNot(is_process_alive(R)).

runner_exits(_) ->
    process_flag(trap_exit, true),
    {ok, R} = erltrace:start_link("erlang*:shop:add/2:entry { exit(5); }", [{interval, 50}, {open, [binary]}]),
    shop:fill(1),
    {records, [{exit, {_, <<"shop">>, <<"add/2">>, <<"entry">>}, 5}]} = next(R),
    {stopped, 5} = next(R),
    receive {'EXIT', R, normal} -> ok after 15000 -> error(still_there) end.

runner_error(_) ->
    process_flag(trap_exit, true),
    {error, {dtrace, {1, 9}, _}} = erltrace:start_link("BEGIN { nothing; }", []),
    {error, {dtrace, open, _}} = erltrace:start_link("BEGIN { }", [{open, [{erltrace, "/nowhere"}]}]).

%% The callbacks: this module.
init({supervisor, Child}) -> {ok, {#{}, [Child]}};
init({Pid, How}) -> {ok, {Pid, How}}.

handle_records(Records, {Pid, How}) ->
    Pid ! {records, Records},
    {ok, {Pid, How}}.

handle_snapshot(Elements, {Pid, stop}) ->
    Pid ! {snapshot, Elements},
    {stop, normal, {Pid, stopped}};
handle_snapshot(Elements, {Pid, How}) ->
    Pid ! {snapshot, Elements},
    {ok, {Pid, How}}.

terminate(Reason, {Pid, How}) ->
    Pid ! {terminated, Reason, How}.

gathered(_, 0, _) -> ok;
gathered(What, Left, Of) when Left > 0 ->
    receive {What, Some} -> gathered(What, Left - Of(Some), Of) after 15000 -> error({no, What}) end.

runner_callback(_) ->
    {ok, R} = erltrace:start_link([{{function, shop, add, 2, entry}, [{sum, n, [], 1}, {trace, 1}]}],
                                  [{interval, 50}, {callback, {?MODULE, {self(), go_on}}}, {name, shop_watch}]),
    R = whereis(shop_watch),
    shop:fill(3),
    gathered(records, 3, fun(Records) -> length([x || {probe, _, 1} <- Records]) end),
    gathered(snapshot, 3, fun([{"n", sum, [], N}]) -> N end),
    ok = erltrace_runner:stop(shop_watch),
    receive {terminated, normal, go_on} -> ok after 15000 -> error(not_terminated) end.

runner_callback_stops(_) ->
    process_flag(trap_exit, true),
    {ok, R} = erltrace:start_link(?COUNT, [{interval, 50}, {callback, {?MODULE, {self(), stop}}}]),
    shop:fill(1),
    receive {terminated, normal, stopped} -> ok after 15000 -> error(not_terminated) end,
    receive {'EXIT', R, normal} -> ok after 15000 -> error(still_there) end.

%% In somebody's supervision tree: killed, it comes back and works.
runner_supervised(_) ->
    process_flag(trap_exit, true),
    Self = self(),
    Child = #{id => watch, start => {erltrace, start_link, [?COUNT, [{interval, 50}, {to, Self}, {name, shop_watch}]]}},
    {ok, Sup} = supervisor:start_link(?MODULE, {supervisor, Child}),
    R1 = whereis(shop_watch),
    exit(R1, kill),
    Now = fun() -> [{watch, Pid, _, _}] = supervisor:which_children(Sup), Pid end,
    wait(fun() -> is_pid(Now()) andalso Now() =/= R1 end),
    shop:fill(4),
    counted(Now(), [], 4),
    unlink(Sup),
    exit(Sup, shutdown),
    wait(fun erltrace_test:is_clean/0).

subscription(_) ->
    {ok, R} = erltrace:subscribe(?COUNT, [{interval, 50}]),
    ?assert(is_pid(whereis(erltrace_sup))),
    shop:fill(2),
    counted(R, [], 2),
    ok = erltrace:unsubscribe(R),
    {error, {dtrace, {1, _}, _}} = erltrace:subscribe("BEGIN { "),
    ok = application:stop(erltrace).

subscriber_killed(_) ->
    Self = self(),
    Subscriber = spawn(fun() -> Self ! erltrace:subscribe(?COUNT), timer:sleep(infinity) end),
    R = receive {ok, Pid} -> Pid after 15000 -> error(no_runner) end,
    exit(Subscriber, kill),
    wait(fun() -> not is_process_alive(R) andalso is_clean() end),
    ok = application:stop(erltrace).
