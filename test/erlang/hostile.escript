#!/usr/bin/env escript
%% A hostile node: registers Name at epmd, lets one command after the other in with the cookie, behaves well until the
%% agent is to be started, and answers that with the bytes of a case. Prints "ready" when it can be found. With the names
%% of machines: one command for each sees a good node on it.
main([Name, Cookie, Protocol | Machines]) ->
    put(protocol, list_to_integer(Protocol)),
    {ok, L} = gen_tcp:listen(0, [binary, {active, false}, {packet, 2}, {ip, {127, 0, 0, 1}}]),
    {ok, Port} = inet:port(L),
    {ok, Epmd} = gen_tcp:connect({127, 0, 0, 1}, 4369, [binary, {active, false}]),
    N = list_to_binary(Name),
    Alive = <<120, Port:16, 77, 0, 6:16, 5:16, (byte_size(N)):16, N/binary, 0:16>>,
    ok = gen_tcp:send(Epmd, <<(byte_size(Alive)):16, Alive/binary>>),
    {ok, _} = gen_tcp:recv(Epmd, 0),
    {ok, Host} = inet:gethostname(),
    io:format("ready~n"),
    Machines =/= [] andalso
        begin
            [begin put(machine, M), serve(L, <<N/binary, $@, (list_to_binary(Host))/binary>>, Cookie, {raw, <<>>}) end || M <- Machines],
            halt()
        end,
    [serve(L, <<N/binary, $@, (list_to_binary(Host))/binary>>, Cookie, Case) || {_, Case} <- cases()],
    %% and to whom asks which nodes there are: very many
    serve(L, <<N/binary, $@, (list_to_binary(Host))/binary>>, Cookie, {raw, <<>>}).

serve(L, Full, Cookie, Case) ->
    {ok, S} = gen_tcp:accept(L),
    {ok, Hello} = gen_tcp:recv(S, 0),
    Flags = case Hello of
                <<$N, F:64, _/binary>> -> F;
                <<$n, _:16, F:32, _/binary>> -> F
            end,
    ok = gen_tcp:send(S, <<"sok">>),
    Mine = 4711,
    %% without the flag of the new handshake, the command expects the old form of the challenge
    Challenge = case Hello of
                    <<$N, _/binary>> -> <<$N, Flags:64, Mine:32, 1:32, (byte_size(Full)):16, Full/binary>>;
                    _ -> <<$n, 6:16, Flags:32, Mine:32, Full/binary>>
                end,
    ok = gen_tcp:send(S, Challenge),
    {ok, Answer} = gen_tcp:recv(S, 0),
    Reply = case Answer of
                <<$c, _/binary>> -> {ok, R} = gen_tcp:recv(S, 0), R;
                _ -> Answer
            end,
    <<$r, Theirs:32, _/binary>> = Reply,
    ok = gen_tcp:send(S, <<$a, (erlang:md5([Cookie, integer_to_list(Theirs)]))/binary>>),
    ok = inet:setopts(S, [{packet, raw}]),
    play(S, Case),
    %% it closes the connection when it has seen enough
    gen_tcp:shutdown(S, write),
    drain(S).

play(S, Case) ->
    play(gen_tcp:recv(S, 4), S, Case).

play({error, closed}, _, _) ->
    ok;
play({ok, <<Len:32>>}, S, Case) ->
    {ok, <<112, Body/binary>>} = gen_tcp:recv(S, Len),
    {_, Used} = binary_to_term(Body, [used]),
    %% a command ignores what is for another one of its name
    case binary_to_term(binary:part(Body, Used, byte_size(Body) - Used)) of
        {To, {call, erltrace_agent, start, _, _}} -> ok = gen_tcp:send(S, bytes(Case, To));
        {To, {call, M, F, _, _}} -> ok = gen_tcp:send(S, bytes({message, term_to_binary({rex, result(M, F)})}, To)), play(S, Case)
    end.

result(erltrace_agent, info) -> #{protocol => get(protocol), os_pid => 1, otp_release => <<"25">>};
result(erlang, nodes) -> [list_to_atom("n" ++ integer_to_list(I) ++ "@127.0.0.9") || I <- lists:seq(1, 20000)];
result(erlang, system_info) -> get(machine);
result(code, _) -> ok;
result(_, _) -> true.

drain(S) ->
    case gen_tcp:recv(S, 0, 30000) of
        {ok, _} -> drain(S);
        _ -> gen_tcp:close(S)
    end.

cases() ->
    Rex = <<104, 2, 119, 3, "rex", 104, 2, 119, 5, "error">>,
    Deep = list_to_binary(lists:duplicate(200000, <<104, 1>>)),
    [{"a binary of 256 MiB that is not there", {message, <<131, Rex/binary, 109, 16#10000000:32>>}},
     {"a binary of a negative length", {message, <<131, Rex/binary, 109, 16#F0000000:32, 0:64>>}},
     {"a list of 2^31 elements", {message, <<131, Rex/binary, 108, 16#80000000:32, 106>>}},
     {"a tuple of 2^32 - 1 elements", {message, <<131, Rex/binary, 105, 16#FFFFFFFF:32, 97, 1>>}},
     {"an atom longer than atoms are", {message, <<131, Rex/binary, 100, 65535:16, 0:(65535 * 8)>>}},
     {"a number of 2 GiB", {message, <<131, Rex/binary, 111, 16#7FFFFFFF:32, 0, 1>>}},
     {"a fun whose size is wrong", {message, <<131, Rex/binary, 112, 16#7FFFFFF0:32, 0, 0:256>>}},
     {"200,000 tuples in each other", {message, <<131, Rex/binary, Deep/binary, 97, 1>>}},
     {"a compressed term", {message, term_to_binary({rex, {error, binary:copy(<<"a">>, 10000)}}, [compressed])}},
     {"an unknown tag", {message, <<131, Rex/binary, 1, 2, 3>>}},
     {"another version of the format", {message, <<130, Rex/binary, 97, 1>>}},
     {"a control term that is longer than the message", {frame, <<112, 131, 104, 3, 97, 2, 109, 16#10000000:32>>}},
     {"no control term", {frame, <<112>>}},
     {"a distribution header", {frame, <<131, 68, 0, 131, 104, 1, 97, 2>>}},
     {"a message of 4 GiB", {raw, <<16#FFFFFFFF:32, 112, 131>>}},
     {"a message of 1,000 MiB that does not come", {raw, <<1048576000:32, 112, 131, 104>>}},
     {"half a message", {raw, <<0, 0, 1, 0, 112, 131, 104>>}},
     {"ticks, then nothing", {raw, <<0:320>>}},
     {"a result that is nothing of the kind", {message, <<131, 104, 2, 119, 3, "rex", 104, 0>>}}].

bytes({message, Bytes}, To) ->
    Control = term_to_binary({2, '', To}),
    bytes({frame, <<112, Control/binary, Bytes/binary>>}, To);
bytes({frame, Bytes}, _) ->
    <<(byte_size(Bytes)):32, Bytes/binary>>;
bytes({raw, Bytes}, _) ->
    Bytes.
