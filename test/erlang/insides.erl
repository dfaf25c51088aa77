%% Known work for the tests of scripts about ETS, files and sockets.
-module(insides).
-export([tables/0, table/1, files/1, sockets/0, sockets/2]).

%% A named table and one without a registered name, for as long as the node runs.
tables() ->
    Self = self(),
    spawn(fun() ->
                  Named = ets:new(orders, [named_table, public]),
                  Plain = ets:new(basket, [public]),
                  persistent_term:put(insides, Plain),
                  Self ! {tables, Named, Plain},
                  receive never -> ok end
          end),
    receive {tables, _, _} -> ok end.

%% So many of each, all on one table.
table(N) ->
    Plain = persistent_term:get(insides),
    [ets:insert(orders, {K, K}) || K <- lists:seq(1, N)],
    [[_] = ets:lookup(orders, K) || K <- lists:seq(1, N), _ <- [1, 2]],
    [ets:delete(orders, K) || K <- lists:seq(1, N)],
    [ets:insert(Plain, {K, x}) || K <- lists:seq(1, 5 * N)],
    [ets:select(Plain, [{{'$1', '_'}, [{'=:=', '$1', 1}], ['$1']}]) || _ <- lists:seq(1, 3)],
    %% more objects than fit into one slice: the call is left and entered again
    [ets:insert(Plain, {{big, K}, x}) || K <- lists:seq(1, 200000)],
    5 = length(ets:select(Plain, [{{{big, '$1'}, '_'}, [{'=<', '$1', 5}], ['$1']}])),
    try ets:lookup(no_such_table, x) catch error:badarg -> ok end.

%% 20 writes of 1,500 bytes, three reads of 10,000 and one at the end of the file, one at a place.
files(Folder) ->
    Name = filename:join(Folder, "known"),
    {ok, W} = file:open(Name, [raw, write]),
    [ok = file:write(W, [<<0:800>>, [[$x || _ <- lists:seq(1, 400)], <<0:8000>>]]) || _ <- lists:seq(1, 20)],
    ok = file:pwrite(W, 0, <<"abcd">>),
    ok = file:datasync(W),
    ok = file:close(W),
    {ok, R} = file:open(Name, [raw, read, binary]),
    [{ok, <<_:10000/binary>>} = file:read(R, 10000) || _ <- [1, 2, 3]],
    eof = file:read(R, 10000),
    {ok, <<"bc">>} = file:pread(R, 1, 2),
    ok = file:close(R),
    {ok, <<_:30000/binary>>} = file:read_file(Name),
    {error, enoent} = file:read_file(filename:join(Folder, "missing")),
    ok.

%% A pair of connected sockets, the one passive, the other active, each owned by a registered process.
sockets() ->
    {ok, L} = gen_tcp:listen(0, [binary, {active, false}, {ip, {127, 0, 0, 1}}]),
    {ok, Port} = inet:port(L),
    register(client, spawn(fun() ->
                                   {ok, S} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, true}, {nodelay, true}]),
                                   client(S, 0)
                           end)),
    register(server, spawn(fun() -> receive {socket, S} -> server(S) end end)),
    {ok, S} = gen_tcp:accept(L),
    ok = gen_tcp:controlling_process(S, whereis(server)),
    server ! {socket, S},
    Port.

%% The client sends N times so many bytes, the server waits for each and sends back half of it.
sockets(N, Bytes) ->
    client ! {send, self(), N, Bytes},
    receive {done, Got} -> Got end.

client(S, Got) ->
    receive
        {send, From, N, Bytes} ->
            server ! {echo, self(), N, Bytes},
            [send(S, I rem 2, [binary:copy(<<"a">>, Bytes - 1), $b]) || I <- lists:seq(1, N)],
            receive echoed -> ok end,
            From ! {done, collect(S, N * (Bytes div 2), 0)},
            client(S, Got)
    end.

%% Before OTP 26, half of it as RabbitMQ does, without gen_tcp.
send(S, Odd, Data) ->
    case Odd =:= 1 andalso erlang:system_info(otp_release) < "26" of
        true ->
            true = port_command(S, Data),
            receive {inet_reply, S, Status} -> ok = Status end;
        false ->
            ok = gen_tcp:send(S, Data)
    end.

collect(_, Want, Want) -> Want;
collect(S, Want, Got) -> receive {tcp, S, Data} -> collect(S, Want, Got + byte_size(Data)) end.

server(S) ->
    receive
        {echo, From, N, Bytes} ->
            [begin
                 {ok, Data} = gen_tcp:recv(S, Bytes),
                 ok = gen_tcp:send(S, binary:part(Data, 0, Bytes div 2))
             end || _ <- lists:seq(1, N)],
            From ! echoed
    end,
    server(S).
