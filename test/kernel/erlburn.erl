%% Burns time in functions with known callers, for tests of stacks.
-module(erlburn).
-export([go/0]).

go() ->
    ok = file:write_file("ready", "x"),
    loop().

loop() ->
    one(),
    two(),
    deep(30),
    loop().

%% What they return makes none of the calls a tail call.
one() ->
    [spin(20000)].

two() ->
    [inner(20000)].

inner(N) ->
    [spin(N)].

deep(0) ->
    [spin(20000)];
deep(N) ->
    [deep(N - 1)].

spin(0) -> get(nothing);
spin(N) -> spin(N - 1).
