%% A workload whose numbers are known. The node reads one command per line, a term such as {spawn, 100}, does exactly
%% that, and answers with "done" and what the test must know to find it again. See workload.sh.
-module(workload).
-export([main/0]).
-export([child/0, victim/0, outer/1, leaf/1, nap/1, bad/1, loop/2, receiver/0, yields/1, collects/1, commands/2, even/1]).

-define(attempt(E), (try E catch _:_ -> failed end)).

main() ->
    io:setopts([{binary, true}]),
    serve().

serve() ->
    case io:get_line("") of
        Line when is_binary(Line) ->
            {ok, Tokens, _} = erl_scan:string(binary_to_list(Line) ++ "."),
            {ok, Command} = erl_parse:parse_term(Tokens),
            io:format("done ~w~n", [command(Command)]),
            serve();
        _ ->
            erlang:halt(0)
    end.

%% Each command runs in its own process. The answer is its pid, unless there is a better one. The reading process itself
%% answers `self`.
command(self) -> self();
command(traced) -> wait_traced(600);
command(untraced) -> wait_untraced(600);
command(Command) ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> Self ! {self(), work(Command)} end),
    Answer = receive
                 {Pid, ok} -> Pid;
                 {Pid, Other} -> Other;
                 {'DOWN', Ref, _, _, Reason} -> {failed, Reason}
             end,
    erlang:demonitor(Ref, [flush]),
    Answer.

wait_traced(0) -> never;
wait_traced(N) ->
    case is_traced() of
        false -> timer:sleep(50), wait_traced(N - 1);
        true -> timer:sleep(100), yes
    end.

wait_untraced(0) -> never;
wait_untraced(N) ->
    case is_traced() of
        false -> yes;
        true -> timer:sleep(50), wait_untraced(N - 1)
    end.

%% New processes, or one that is there, by the tracer itself: erltrace's own processes have another one. From OTP 27 on in a session
%% of its own.
is_traced() ->
    Flags = case erlang:system_info(otp_release) >= "27" of
                true ->
                    Sessions = [S || {erltrace, _} = S <- apply(trace, session_info, [all])],
                    fun(P) -> lists:any(fun(S) -> has_flags(?attempt(apply(trace, info, [S, P, flags]))) end, Sessions) end;
                false ->
                    fun(P) -> is_ours(erlang:trace_info(P, tracer)) end
            end,
    lists:any(Flags, [new | processes()]).

has_flags({flags, [_ | _]}) -> true;
has_flags(_) -> false.

is_ours({tracer, {erltrace_tracer, _}}) -> true;
is_ours(_) -> false.

%% N processes, one after the other; each ends by itself.
work({spawn, N}) ->
    times(N, fun() -> {_, Ref} = spawn_monitor(?MODULE, child, []), wait_down(Ref) end);
%% N processes that are killed by a signal.
work({signal, N}) ->
    times(N, fun() ->
                     {Pid, Ref} = spawn_monitor(?MODULE, victim, []),
                     exit(Pid, workload_signal),
                     wait_down(Ref)
             end);
%% N calls from another module's point of view, each with two local calls inside.
work({call, N}) ->
    times(N, fun() -> ?MODULE:outer(N) end);
%% N calls that take Ms milliseconds, or more if the machine is busy. Returns the longest, in ns, as seen from outside.
work({nap, N, Ms}) ->
    lists:max([begin
                   Start = erlang:monotonic_time(nanosecond),
                   ?MODULE:nap(Ms),
                   erlang:monotonic_time(nanosecond) - Start
               end || _ <- lists:seq(1, N)]);
work({bad, N}) ->
    times(N, fun() -> ?attempt(?MODULE:bad(N)) end);
work({loop, N}) ->
    ?MODULE:loop(N, 0),
    ok;
%% N messages of three words each to one process, which gets them all.
work({send, N}) ->
    {Pid, Ref} = spawn_monitor(?MODULE, receiver, []),
    times(N, fun() -> Pid ! {workload, N} end),
    Pid ! stop,
    wait_down(Ref),
    Pid;
%% N calls of a server, each of which is answered by an alias.
work({ask, N}) ->
    Pid = spawn(fun F() -> receive {Alias, ask} -> Alias ! ok, F() end end),
    times(N, fun() ->
                     Alias = alias([reply]),
                     Pid ! {Alias, ask},
                     receive ok -> ok end
             end),
    exit(Pid, kill),
    Pid;
%% A message to a process that cannot run for Ms milliseconds, N times.
work({late, N, Ms}) ->
    {Pid, Ref} = spawn_monitor(?MODULE, receiver, []),
    times(N, fun() ->
                     wait_idle(Pid),
                     erlang:suspend_process(Pid),
                     Pid ! {workload, N},
                     timer:sleep(Ms),
                     erlang:resume_process(Pid),
                     wait_idle(Pid)
             end),
    Pid ! stop,
    wait_down(Ref),
    Pid;
work({yield, N}) ->
    ?MODULE:yields(N),
    ok;
work({gc, N}) ->
    ?MODULE:collects(N),
    ok;
%% A heap that grows and then shrinks.
work(heap) ->
    List = lists:seq(1, 300000),
    300000 = length(List),
    erlang:garbage_collect(),
    ok;
%% A port that gets N commands of ten bytes.
work({port, N}) ->
    Port = open_port({spawn_executable, "/bin/cat"}, [binary, stream]),
    commands(Port, N),
    timer:sleep(50),
    port_close(Port),
    Port;
work({read, N, File}) ->
    times(N, fun() -> {ok, _} = file:read_file(File) end);
work({register, N}) ->
    times(N, fun() -> register(workload_name, self()), unregister(workload_name) end);
%% The user's own probes, through the application's API.
work({user, N}) ->
    times(N, fun() -> true = erltrace:p(N, 7, "first", "second") end);
work({user_n, N}) ->
    times(N, fun() -> true = erltrace:pn(42, N, 7, "first", "second") end).

times(0, _) -> ok;
times(N, Fun) -> Fun(), times(N - 1, Fun).

%% Until the process has taken all its messages and waits for more.
wait_idle(Pid) ->
    case process_info(Pid, [message_queue_len, status]) of
        [{_, 0}, {_, waiting}] -> ok;
        _ -> timer:sleep(5), wait_idle(Pid)
    end.

wait_down(Ref) -> receive {'DOWN', Ref, _, _, _} -> ok end.

child() -> exit(workload_done).

victim() -> receive after infinity -> ok end.

outer(N) -> even(leaf(N) + leaf(N + 1)).

leaf(N) -> N band 3.

even(N) -> N rem 2 =:= 0.

nap(Ms) -> receive after Ms -> ok end.

bad(N) -> error({workload, N}).

loop(0, Acc) -> Acc;
loop(N, Acc) -> ?MODULE:loop(N - 1, Acc + 1).

receiver() -> receive stop -> ok; _ -> receiver() end.

yields(0) -> ok;
yields(N) -> erlang:yield(), yields(N - 1).

collects(0) -> ok;
collects(N) -> erlang:garbage_collect(), collects(N - 1).

commands(_, 0) -> ok;
commands(Port, N) -> true = port_command(Port, <<"0123456789">>), commands(Port, N - 1).
