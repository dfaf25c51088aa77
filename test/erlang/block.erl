%% Holds every dirty scheduler of the node: see block.c.
-module(block).
-export([all/2, watch/1, io/1, cpu/1]).

all(Library, File) ->
    _ = erlang:load_nif(Library, 0), % again: it is there
    [spawn(fun() -> ?MODULE:io(File) end) || _ <- lists:seq(1, erlang:system_info(dirty_io_schedulers))],
    [spawn(fun() -> ?MODULE:cpu(File) end) || _ <- lists:seq(1, erlang:system_info(dirty_cpu_schedulers))],
    wait(erlang:system_info(dirty_io_schedulers), erlang:system_info(dirty_cpu_schedulers)).

%% Releases the schedulers (File) as soon as nothing of erltrace is left, once it was there. Asking from outside would
%% not work: a process with a large heap is collected on a dirty scheduler. So this asks for little, from a process that
%% existed before.
watch(File) ->
    Sessions = sessions(),
    Clean = fun() ->
                    whereis(erltrace_hub) =:= undefined andalso
                        [] =:= [M || M <- [erltrace_hub, erltrace_agent, erltrace_tracer], erlang:module_loaded(M)] andalso
                        erlang:trace_info({load, call, 1}, traced) =:= {traced, false} andalso
                        erlang:trace_info(new, flags) =:= {flags, []} andalso
                        sessions() =:= Sessions
            end,
    spawn(fun() ->
                  until(fun() -> not Clean() end),
                  until(Clean),
                  Port = open_port({spawn_executable, "/bin/sh"}, [{args, ["-c", ": >\"$1\"", "sh", File]}, exit_status]),
                  receive {Port, {exit_status, _}} -> ok end
          end),
    watching.

until(Is) ->
    case Is() of
        true -> ok;
        false -> timer:sleep(20), until(Is)
    end.

%% From OTP 27 on.
sessions() ->
    case erlang:function_exported(trace, session_info, 1) of
        true -> length(apply(trace, session_info, [all]));
        false -> 0
    end.

%% Waits until all are held: a process of ours that gets no turn there any more shows it.
wait(Io, Cpu) ->
    Here = [process_info(P, current_function) || P <- processes()],
    In = fun(F) -> length([x || {current_function, {?MODULE, Fun, 1}} <- Here, Fun =:= F]) end,
    case {In(io), In(cpu)} of
        {Io, Cpu} -> held;
        _ -> timer:sleep(20), wait(Io, Cpu)
    end.

io(_) -> erlang:nif_error(not_loaded).
cpu(_) -> erlang:nif_error(not_loaded).
