%% What an event costs: untraced, through an empty erl_tracer, through erltrace
%% with a keyed count and with a quantize by function, and through dbg's tracer
%% process. All in one run, in turns, the best of several rounds each; only the
%% ratios mean anything on a shared machine.
%%
%% The node traces itself: it starts the erltrace command, which attaches to it.
-module(bench_tracer).
-export([main/1]).
-export([leaf/1, child/0]).

-define(ROUNDS, 5).

main([Erltrace, Library]) ->
    ok = empty_tracer:load(Library),
    Name = atom_to_list(node()),
    Ways = [untraced, empty, count, quantize, dbg],
    io:format("ns per event     untraced  empty NIF   keyed count      quantize           dbg~n"),
    lists:foreach(
        fun(Kind) ->
                Times = [best(Kind, Way, {Erltrace, Name}) || Way <- Ways],
                print(Kind, Times)
        end,
        [call, call_return, send, spawn, scheduled]),
    erlang:halt(0).

print(Kind, [Untraced, Empty | _] = Times) ->
    [_, _, Count, Quantize, Dbg] = Times,
    io:format("~-14s ~9.1f  ~9.1f  ~9.1f (~s)  ~9.1f (~s)  ~9.1f (x~.1f)~n",
              [Kind, Untraced, Empty, Count, added(Count, Empty), Quantize, added(Quantize, Empty), Dbg, Dbg / Count]).

added(Cost, Floor) -> io_lib:format("~s~b", [case Cost >= Floor of true -> "+"; false -> "" end, round(Cost - Floor)]).

best(Kind, Way, Command) ->
    Undo = switch_on(Kind, Way, Command),
    Result = lists:min([one_round(Kind) || _ <- lists:seq(1, ?ROUNDS)]),
    Undo(),
    Result.

%% -- workloads: ns an event ------------------------------------------------------------------------------------

one_round(Kind) ->
    {N, Fun} = workload(Kind),
    Self = self(),
    %% a process of its own, so that the bench's heap does not matter; it waits until flags are set
    {Pid, Ref} = spawn_monitor(fun() -> receive go -> ok end, Self ! {self(), timed(Fun, N)} end),
    Pid ! go,
    Ns = receive {Pid, T} -> T end,
    receive {'DOWN', Ref, _, _, _} -> ok end,
    Ns / N.

timed(Fun, N) ->
    erlang:garbage_collect(),
    T0 = erlang:monotonic_time(nanosecond),
    Fun(N),
    erlang:monotonic_time(nanosecond) - T0.

workload(call) -> {200000, fun calls/1};
workload(call_return) -> {200000, fun calls/1};
workload(send) ->
    {200000, fun(N) -> sends(sink(), N) end};
workload(spawn) -> {20000, fun spawns/1};
workload(scheduled) -> {50000, fun yields/1}.

calls(0) -> ok;
calls(N) -> _ = ?MODULE:leaf(N), calls(N - 1).

leaf(N) -> N band 7.

sink() -> spawn(fun F() -> receive stop -> ok after infinity -> F() end end).

sends(Pid, 0) -> exit(Pid, kill), ok;
sends(Pid, N) -> Pid ! N, sends(Pid, N - 1).

spawns(0) -> ok;
spawns(N) ->
    {_, Ref} = spawn_monitor(?MODULE, child, []),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    spawns(N - 1).

child() -> ok.

yields(0) -> ok;
yields(N) -> erlang:yield(), yields(N - 1).

%% -- ways of tracing: a fun that undoes it -----------------------------------------------------------------------

switch_on(_, untraced, _) ->
    fun() -> ok end;
switch_on(Kind, empty, _) ->
    patterns(Kind, true),
    erlang:trace(new_processes, true, [{tracer, empty_tracer, []} | flags(Kind)]),
    fun() ->
            erlang:trace(all, false, [{tracer, empty_tracer, []} | flags(Kind)]),
            patterns(Kind, false)
    end;
switch_on(Kind, dbg, _) ->
    patterns(Kind, true),
    Tracer = spawn_opt(fun F() -> receive _ -> F() end end, [{priority, high}]),
    erlang:trace(new_processes, true, [{tracer, Tracer} | flags(Kind)]),
    fun() ->
            exit(Tracer, kill),
            timer:sleep(100),
            erlang:trace(all, false, [all]),
            patterns(Kind, false)
    end;
switch_on(Kind, Way, {Erltrace, Name}) ->
    Script = "BEGIN { printf(\"ready\\n\"); } " ++ script(Kind, Way),
    Port = open_port({spawn_executable, Erltrace},
                     [{args, ["-N", Name, "--cookie", atom_to_list(erlang:get_cookie()), "-q",
                              "-x", "maxoverhead=100", "-x", "switchrate=10ms", "-n", Script]},
                      stream, exit_status, binary, use_stdio, stderr_to_stdout]),
    wait_ready(Port, <<>>),
    timer:sleep(300),
    fun() ->
            {os_pid, Pid} = erlang:port_info(Port, os_pid),
            os:cmd("kill -INT " ++ integer_to_list(Pid)),
            receive {Port, {exit_status, _}} -> ok after 10000 -> error(erltrace_does_not_end) end,
            timer:sleep(300),
            flush(Port)
    end.

wait_ready(Port, Seen) ->
    receive
        {Port, {data, D}} ->
            All = <<Seen/binary, D/binary>>,
            case binary:match(All, <<"ready">>) of
                nomatch -> wait_ready(Port, All);
                _ -> ok
            end;
        {Port, {exit_status, S}} ->
            io:format("erltrace ended with ~p: ~s~n", [S, Seen]),
            erlang:halt(1)
    after 10000 ->
        io:format("erltrace does not start: ~s~n", [Seen]),
        erlang:halt(1)
    end.

flush(Port) ->
    receive {Port, _} -> flush(Port) after 0 -> ok end.

flags(call) -> [call, arity];
flags(call_return) -> [call, arity, return_to];
flags(send) -> [send];
flags(spawn) -> [procs];
flags(scheduled) -> [running_procs].

patterns(call, On) ->
    erlang:trace_pattern({?MODULE, leaf, 1}, On, [local]);
patterns(call_return, true) ->
    erlang:trace_pattern({?MODULE, leaf, 1}, [{'_', [], [{message, {caller}}]}], [local]);
patterns(call_return, false) ->
    erlang:trace_pattern({?MODULE, leaf, 1}, false, [local]);
patterns(_, _) ->
    ok.

script(call, count) ->
    "erlang*:bench_tracer:leaf/1:entry { @[probefunc] = count(); }";
script(call, quantize) ->
    "erlang*:bench_tracer:leaf/1:entry { @[probefunc] = quantize(timestamp); }";
script(call_return, count) ->
    "erlang*:bench_tracer:leaf/1:entry, erlang*:bench_tracer:leaf/1:return { @[probefunc] = count(); }";
script(call_return, quantize) ->
    "erlang*:bench_tracer:leaf/1:entry { self->t = timestamp; } "
    "erlang*:bench_tracer:leaf/1:return /self->t/ { @[probefunc] = quantize(timestamp - self->t); self->t = 0; }";
script(send, count) ->
    "erlang*:::message-send { @[copyinstr(arg1)] = count(); }";
script(send, quantize) ->
    "erlang*:::message-send { @[copyinstr(arg1)] = quantize(arg2); }";
script(spawn, count) ->
    "erlang*:::process-spawn { @[copyinstr(arg1)] = count(); }";
script(spawn, quantize) ->
    "erlang*:::process-spawn { @[copyinstr(arg1)] = quantize(timestamp); }";
script(scheduled, count) ->
    "erlang*:::process-scheduled { @[copyinstr(arg1)] = count(); }";
script(scheduled, quantize) ->
    "erlang*:::process-scheduled { @[copyinstr(arg1)] = quantize(timestamp); }".
