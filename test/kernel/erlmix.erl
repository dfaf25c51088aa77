%% Burns time in Erlang, in BIFs, in a NIF and in system calls of that, and in the vDSO, each in a function of its own, for tests of stacks.
-module(erlmix).
-export([go/0, in_c/1, in_calls/1]).
-on_load(init/0).

init() -> erlang:load_nif("./erlmix_nif", 0).

in_c(_) -> erlang:nif_error(not_loaded).
in_calls(_) -> erlang:nif_error(not_loaded).

go() ->
    ok = file:write_file("ready", "x"),
    loop(binary:copy(<<"x">>, 40000), lists:seq(1, 10000)).

loop(Bin, List) ->
    plain(),
    bif(Bin),
    garbage(List),
    nif(),
    calls(),
    clock(),
    loop(Bin, List).

plain() -> [spin(50000)].

bif(Bin) -> [erlang:crc32(Bin), erlang:crc32(Bin), erlang:crc32(Bin)].

%% What is alive is copied.
garbage(List) ->
    erlang:garbage_collect(),
    [length(List)].

nif() -> [in_c(60000)].

calls() -> [in_calls(500)].

%% Time is told by the kernel's code in the process.
clock() -> [ask(3000)].

ask(0) -> get(nothing);
ask(N) ->
    erlang:monotonic_time(),
    ask(N - 1).

spin(0) -> get(nothing);
spin(N) -> spin(N - 1).
