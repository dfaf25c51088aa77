%% Calls whose returns tst.returns.sh follows: nested, tail calls, recursion of both kinds, exceptions, hibernation.
-module(returns).
-export([run/1, all/1, rounds/1, next/1, a/1, b/1, c/1, t/1, u/1, deep/1, loop/1, ping/1, pong/1, over/1, through/1, thrown/1, catches/1, value/1, sleeper/1, woken/1, leaf/1, far/1]).

%% Each in a process of its own.
all(Funs) ->
    [run(Fun) || Fun <- Funs].

run(Fun) ->
    next(Fun),
    {Pid, Ref} = spawn_monitor(fun() -> [?MODULE:Fun(3), done] end),
    case Fun of
        sleeper -> wake(Pid, 100);
        _ -> ok
    end,
    receive {'DOWN', Ref, process, Pid, Why} -> Why end.

%% The largest stack and heap that were seen while the loop ran, in words.
rounds(N) ->
    next(loop),
    {Pid, Ref} = spawn_monitor(fun() -> [?MODULE:loop(N), done] end),
    watch(Pid, Ref, {0, 0, 0}).

watch(Pid, Ref, {Looks, Stack, Heap} = Most) ->
    receive {'DOWN', Ref, process, Pid, normal} -> Most
    after 10 ->
            case process_info(Pid, [stack_size, total_heap_size]) of
                [{_, S}, {_, H}] -> watch(Pid, Ref, {Looks + 1, max(S, Stack), max(H, Heap)});
                undefined -> watch(Pid, Ref, Most)
            end
    end.

next(_) -> ok.

wake(Pid, N) ->
    case process_info(Pid, current_function) of
        {current_function, {erlang, hibernate, 3}} -> Pid ! wake;
        _ when N > 0 -> timer:sleep(20), wake(Pid, N - 1);
        _ -> Pid ! wake
    end.

%% a calls b, which ends in c; then c once more.
a(X) -> Y = b(X), Z = c(Y), Y + Z.
b(X) -> c(X + 1).
c(X) -> X * 2.

%% t ends in a function that nobody traces, and that calls c.
t(X) -> u(X).
u(X) -> Y = c(X), Y + 1.

deep(0) -> 0;
deep(N) -> 1 + deep(N - 1).

loop(0) -> ok;
loop(N) -> loop(N - 1).

%% Each ends in the other.
ping(0) -> ok;
ping(N) -> pong(N - 1).
pong(0) -> ok;
pong(N) -> ping(N - 1).

%% Recursion through a function that nobody traces: all calls of over/1 have the same caller.
over(0) -> 0;
over(N) -> through(N - 1) + 1.
through(N) -> R = over(N), R + 1.

%% The exception passes a function that nobody traces; then there are calls again.
catches(X) ->
    try far(X) catch throw:_ -> ok end,
    c(X).
far(X) -> Y = thrown(X), Y + 1.
thrown(X) -> throw(X).

%% Its value is looked at.
value(0) -> 7;
value(N) -> value(N - 1).

%% The stack is gone when it wakes up.
sleeper(X) -> Y = leaf(X), [Y | woken(Y)].
leaf(_) -> erlang:hibernate(?MODULE, woken, [1]).
woken(X) -> receive wake -> c(X) end.
