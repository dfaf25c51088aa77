%% Work for the tests of counters: calls functions of erts, kernel and stdlib that erltrace calls too, so many times
%% each. It begins when the command that it starts prints something, and writes a line to it at its end.
-module(counted).
-export([start/2]).

start(Command, Times) ->
    HasSessions = code:ensure_loaded(trace) =:= {module, trace},
    spawn(fun() -> wait(open_port({spawn, Command}, [binary]), Times, HasSessions) end).

wait(Port, Times, HasSessions) ->
    receive {Port, {data, _}} -> ok end,
    work(Times, HasSessions),
    port_command(Port, <<"done\n">>),
    receive {Port, _} -> ok end.

work(0, _) ->
    ok;
work(N, HasSessions) ->
    lists:foldr(fun ignore/2, ok, []),
    lists:append([]),
    maps:to_list(#{}),
    maps:from_list([]),
    application:get_env(erltrace, silence, none),
    erlang:monotonic_time(millisecond),
    HasSessions andalso trace:session_info({?MODULE, start, 2}),
    N rem 100 =:= 0 andalso rest(),
    work(N - 1, HasSessions).

ignore(_, Acc) -> Acc.

rest() ->
    receive after 2 -> ok end.
