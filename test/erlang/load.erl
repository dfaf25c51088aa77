%% Work for tests: start(N) starts N processes that call, send, spawn and allocate as fast as they can.
-module(load).
-export([start/1, stop/0, loop/1, call/1, calls/1, die/1, down/1, up/1, echo/0, tail/2, throws/1]).

-define(attempt(E), (try E catch _:_ -> failed end)).

start(N) ->
    Echo = spawn(?MODULE, echo, []),
    Pids = [spawn(?MODULE, loop, [Echo]) || _ <- lists:seq(1, N)],
    register(load, spawn(fun() -> receive stop -> [exit(P, kill) || P <- [Echo | Pids]] end end)),
    ok.

stop() ->
    load ! stop,
    ok.

loop(Echo) ->
    [call(I) || I <- lists:seq(1, 50)],
    down(10),
    ?attempt(throws(1)),
    Echo ! {self(), lists:seq(1, 20)},
    spawn(?MODULE, die, [normal]),
    loop(Echo).

call(I) -> up(I) + 1.
calls(0) -> ok;
calls(N) -> up(N), calls(N - 1).
up(I) -> I * 2.
down(0) -> 0;
down(N) -> 1 + down(N - 1).
die(Why) -> exit(Why).
throws(X) -> throw({thrown, X}).

%% So that nobody's mailbox grows.
echo() ->
    receive _ -> echo() end.

%% A loop of N turns; the process's memory at its end.
tail(0, Pid) -> Pid ! {memory, element(2, process_info(self(), memory))};
tail(N, Pid) -> tail(N - 1, Pid).
