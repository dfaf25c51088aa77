%% Holds every dirty scheduler of the node: see block.c.
-module(block).
-export([all/2, io/1, cpu/1]).

all(Library, File) ->
    _ = erlang:load_nif(Library, 0), % again: it is there
    [spawn(fun() -> ?MODULE:io(File) end) || _ <- lists:seq(1, erlang:system_info(dirty_io_schedulers))],
    [spawn(fun() -> ?MODULE:cpu(File) end) || _ <- lists:seq(1, erlang:system_info(dirty_cpu_schedulers))],
    wait(erlang:system_info(dirty_io_schedulers), erlang:system_info(dirty_cpu_schedulers)).

%% Until all are held: a process of ours that does not get a turn there any more says so.
wait(Io, Cpu) ->
    Here = [process_info(P, current_function) || P <- processes()],
    In = fun(F) -> length([x || {current_function, {?MODULE, Fun, 1}} <- Here, Fun =:= F]) end,
    case {In(io), In(cpu)} of
        {Io, Cpu} -> held;
        _ -> timer:sleep(20), wait(Io, Cpu)
    end.

io(_) -> erlang:nif_error(not_loaded).
cpu(_) -> erlang:nif_error(not_loaded).
