%% Whether schedulers lose time to each other: ns of the whole VM's CPU time for one traced call, with a process on each
%% scheduler that calls as fast as it can. Run with 2, 16 and 64 schedulers on the same machine, the numbers must be the
%% same: the work is, and waiting for a lock would add to it. What the VM itself adds with more schedulers is shown by a
%% tracer that does nothing.
%%
%% erl +S N:N +sbwt none -sname NAME -run bench_schedulers main BUILD
-module(bench_schedulers).
-export([main/1, leaf/1]).

-define(CALLS, 1000000).
-define(ROUNDS, 3).

main([Build]) ->
    N = erlang:system_info(schedulers),
    ok = empty_tracer:load(Build ++ "/bench/erlang/empty_tracer"),
    Costs = [{Name, cost(N, Script, Build ++ "/erltrace")} || _ <- lists:seq(1, ?ROUNDS), {Name, Script} <- scripts()],
    io:format("~3b schedulers:~s~n", [N, [io_lib:format("  ~s ~.1f", [Name, lists:min([C || {Of, C} <- Costs, Of =:= Name])]) || {Name, _} <- scripts()]]),
    erlang:halt(0).

scripts() ->
    [{"untraced", none},
     {"empty tracer", {empty, []}},
     {"count", "erlang*:bench_schedulers:leaf/1:entry { @[probefunc] = count(); }"},
     {"one array for all", "erlang*:bench_schedulers:leaf/1:entry { a[arg0] = timestamp; @[probefunc] = sum(a[arg0] != 0); }"},
     {"call and return, empty tracer", {empty, [return_to]}},
     {"call and return", "erlang*:bench_schedulers:leaf/1:entry { self->t = timestamp; } "
      "erlang*:bench_schedulers:leaf/1:return /self->t/ { @[probefunc] = quantize(timestamp - self->t); self->t = 0; }"}].

cost(N, none, _) ->
    measure(N);
cost(N, {empty, Flags}, _) ->
    Traced = [{tracer, empty_tracer, []}, call, arity | Flags],
    1 = erlang:trace_pattern({?MODULE, leaf, 1}, true, [local]),
    erlang:trace(new_processes, true, Traced),
    Cost = measure(N),
    erlang:trace(new_processes, false, Traced),
    1 = erlang:trace_pattern({?MODULE, leaf, 1}, false, [local]),
    Cost;
cost(N, Script, Erltrace) ->
    Port = open_port({spawn_executable, Erltrace},
                     [{args, ["-N", atom_to_list(node()), "--cookie", atom_to_list(erlang:get_cookie()), "-q", "-x", "maxoverhead=1000",
                              "-x", "counters=off", "-n", Script, "-n", "tick-50ms { printf(\"on\\n\"); }"]},
                      {line, 1000}, exit_status, stderr_to_stdout]),
    wait_on(Port),
    Cost = measure(N),
    {os_pid, Pid} = erlang:port_info(Port, os_pid),
    os:cmd("kill -TERM " ++ integer_to_list(Pid)),
    wait_end(Port),
    wait_gone(),
    Cost.

wait_on(Port) ->
    receive
        {Port, {data, {_, "on"}}} -> ok;
        {Port, {data, {_, Line}}} -> io:format("~s~n", [Line]), wait_on(Port);
        {Port, {exit_status, Status}} -> io:format("erltrace ended with ~p~n", [Status]), erlang:halt(1)
    end.

wait_end(Port) ->
    receive
        {Port, {exit_status, _}} -> ok;
        {Port, _} -> wait_end(Port)
    end.

wait_gone() ->
    case code:is_loaded(erltrace_tracer) of
        false -> ok;
        _ -> timer:sleep(50), wait_gone()
    end.

measure(N) ->
    Calls = ?CALLS div N,
    {From, _} = statistics(runtime),
    Refs = [element(2, spawn_opt(fun() -> calls(Calls) end, [monitor, {scheduler, I}])) || I <- lists:seq(1, N)],
    [receive {'DOWN', Ref, process, _, _} -> ok end || Ref <- Refs],
    {To, _} = statistics(runtime),
    (To - From) * 1000000 / (Calls * N).

calls(0) -> ok;
calls(N) -> _ = ?MODULE:leaf(N), calls(N - 1).

leaf(N) -> N band 7.
