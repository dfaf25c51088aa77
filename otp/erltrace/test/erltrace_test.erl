%% What the suites share.
-module(erltrace_test).

-export([start/1, start/2, wait/1, wait/2, finish/0, is_clean/0, info/2, flags/0, port_pid/1]).

%% A running script.
start(Program) -> start(Program, []).

start(Program, Options) ->
    {ok, H} = erltrace:open(Options),
    ok = erltrace:compile(H, Program),
    ok = erltrace:go(H),
    H.

%% Until it is true. Two seconds are enough where the machine has time.
wait(Fun) -> wait(Fun, 10000).

wait(Fun, Left) ->
    case Fun() of
        true -> ok;
        false when Left > 0 -> timer:sleep(20), wait(Fun, Left - 20);
        Other -> error({not_reached, Other})
    end.

%% The end of each test: nothing is left. What a test that failed has left is ended, so that the next ones do not fail for it.
finish() ->
    try
        wait(fun is_clean/0)
    catch
        error:Why ->
            [exit(P, kill) || P <- processes(), is_ours(P)],
            wait(fun is_clean/0),
            error(Why)
    end.

%% Handles, what runs them, and processes that a suite has marked.
is_ours(P) ->
    case process_info(P, dictionary) of
        {dictionary, D} ->
            lists:keymember(erltrace_test, 1, D) orelse
                lists:member(proplists:get_value('$initial_call', D), [{erltrace_handle, init, 1}, {erltrace_runner, init, 1}]);
        undefined ->
            false
    end.

%% No flag, no pattern, no hub, no session is left.
is_clean() ->
    flags() =:= [] andalso whereis(erltrace_hub) =:= undefined
        andalso lists:member(info({shop, add, 2}, traced), [{traced, false}, {traced, undefined}]) % not loaded yet
        andalso element(1, erltrace_tracer:state()) =:= 0.

%% Of all but erltrace's own processes, which the hub keeps from being traced while they live.
flags() ->
    Hub = whereis(erltrace_hub),
    lists:usort(lists:append([F || P <- [new_processes | processes()],
                                   info(P, tracer) =/= {tracer, Hub},
                                   {flags, F} <- [info(P, flags)]])).

%% trace_info/2 of what erltrace has set. From OTP 27 on that is in a session of its own.
info(Item, Key) ->
    case erltrace_session:is_separate() of
        true ->
            case [S || {erltrace, _} = S <- apply(trace, session_info, [all])] of
                [S | _] ->
                    try apply(trace, info, [S, Item, Key])
                    catch error:badarg -> nothing(Key) % it has gone in between
                    end;
                [] ->
                    nothing(Key)
            end;
        false ->
            erlang:trace_info(Item, Key)
    end.

nothing(traced) -> {traced, false};
nothing(Key) -> {Key, []}.

%% The OS process of a handle's port program.
port_pid(H) ->
    {links, Links} = process_info(H, links),
    [Port] = [L || L <- Links, is_port(L)],
    {os_pid, Pid} = erlang:port_info(Port, os_pid),
    Pid.
