%% Work with known shares: a process that computes three times as long in three/1 as in one/1, until told to stop.
-module(shares).
-export([start/0, stop/1, run/0, three/1, one/1, dirty/1]).

-define(UNIT, 2000000). % reductions, some ms: long against a time slice; not always the same, so that nothing keeps in step with it

start() ->
    spawn(?MODULE, run, []).

stop(Pid) ->
    Ref = monitor(process, Pid),
    exit(Pid, kill),
    receive {'DOWN', Ref, _, _, _} -> ok end.

run() ->
    Unit = rand:uniform(?UNIT * 2),
    three(Unit * 3),
    one(Unit),
    run().

%% The call is not a tail call, so that these stay on the stack.
three(N) ->
    work(N),
    put(did, three).

one(N) ->
    work(N),
    put(did, one).

work(0) ->
    0;
work(N) ->
    work(N - 1).

%% On a dirty scheduler for that many ms, all the time.
dirty(Ms) ->
    erts_debug:dirty_cpu(wait, Ms),
    dirty(Ms).
