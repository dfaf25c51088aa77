%% Does one thing without end, for steps.c: start(call | send | spawn | yield), on the first scheduler or another.
-module(steps).
-export([start/1, start/2, run/2, leaf/1, child/0]).

start(What) ->
    start(What, 1).

start(What, Scheduler) ->
    register(steps, spawn(?MODULE, run, [What, Scheduler])),
    ok.

%% In processes of their own, which come and go: so they are traced from their beginning.
run(What, Scheduler) ->
    {_, Ref} = spawn_opt(fun() -> do(What, 20000) end, [monitor, {scheduler, Scheduler}]),
    receive {'DOWN', Ref, _, _, _} -> run(What, Scheduler) end.

do(_, 0) -> ok;
do(call, N) -> _ = ?MODULE:leaf(N), do(call, N - 1);
do(send, N) -> sends(spawn_link(fun sink/0), N);
do(spawn, N) -> {_, Ref} = spawn_monitor(?MODULE, child, []), receive {'DOWN', Ref, _, _, _} -> do(spawn, N - 1) end;
do(yield, N) -> erlang:yield(), do(yield, N - 1).

leaf(N) -> N band 7.

child() -> ok.

sink() -> receive {stop, Pid} -> Pid ! stopped; _ -> sink() end.

sends(Pid, 0) -> Pid ! {stop, self()}, receive stopped -> ok end;
sends(Pid, N) -> Pid ! N, sends(Pid, N - 1).
