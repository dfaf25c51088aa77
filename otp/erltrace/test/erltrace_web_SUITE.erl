%% The page's server as a port of the application: it serves, ends with its owner, comes back under a supervisor, and says what is wrong.
-module(erltrace_web_SUITE).
-include_lib("common_test/include/ct.hrl").

-compile([export_all, nowarn_export_all]).

all() -> [serves, traces_this_node, ends_with_its_owner, comes_back, two_at_once, bad_options, port_in_use, no_name, cookie_is_hidden].

init_per_suite(Config) ->
    case erltrace_web:start_link([{nodes, []}, {port, 0}]) of
        {ok, Pid} ->
            ok = erltrace_web:stop(Pid),
            Config;
        {error, {dtrace, serve, Why}} ->
            case string:find(Why, "built without") of
                nomatch -> ct:fail(Why);
                _ -> {skip, Why}
            end
    end.

end_per_suite(_) -> ok.

%% -- a browser of a few lines

host_port(Url) ->
    {match, [Port, Token]} = re:run(Url, "^http://127.0.0.1:([0-9]+)/\\?token=([0-9a-f]{32})$", [{capture, all_but_first, list}]),
    {list_to_integer(Port), Token}.

request(Port, Path, Headers) ->
    {ok, S} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}]),
    ok = gen_tcp:send(S, ["GET ", Path, " HTTP/1.1\r\nHost: 127.0.0.1:", integer_to_list(Port), "\r\n", Headers, "\r\n"]),
    {S, head(S, <<>>)}.

head(S, Got) ->
    case binary:split(Got, <<"\r\n\r\n">>) of
        [Head, Rest] -> {Head, Rest};
        _ -> {ok, More} = gen_tcp:recv(S, 0, 10000), head(S, <<Got/binary, More/binary>>)
    end.

status(Port, Path, Headers) ->
    {S, {<<"HTTP/1.1 ", Status:3/binary, _/binary>>, _}} = request(Port, Path, Headers),
    gen_tcp:close(S),
    binary_to_integer(Status).

cookie(Url) ->
    {Port, Cookie, _} = session(Url),
    {Port, Cookie}.

%% The key comes behind the # of the address that one is sent on to.
session(Url) ->
    {Port, Token} = host_port(Url),
    {S, {Head, _}} = request(Port, ["/?token=", Token], ""),
    gen_tcp:close(S),
    {match, [Cookie]} = re:run(Head, "set-cookie: ([^;]+);", [caseless, {capture, all_but_first, binary}]),
    {match, [Key]} = re:run(Head, "location: /#key=([0-9a-f]+)", [caseless, {capture, all_but_first, binary}]),
    {Port, ["Cookie: ", Cookie, "\r\n"], Key}.

%% A websocket on the plain protocol; text goes out masked with zeroes.
websocket(Port, Cookie, Path) ->
    {S, {<<"HTTP/1.1 101", _/binary>>, Rest}} =
        request(Port, Path, [Cookie, "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"]),
    {S, Rest}.

say(S, Opcode, Text) ->
    Size = byte_size(Text),
    Length = if Size < 126 -> <<1:1, Size:7>>; true -> <<1:1, 126:7, Size:16>> end,
    ok = gen_tcp:send(S, [<<1:1, 0:3, Opcode:4>>, Length, <<0:32>>, Text]).

%% The next text; pings are answered.
hear(S, <<_:4, Op:4, 0:1, 127:7, N:64, T:N/binary, Rest/binary>>) -> heard(S, Op, T, Rest);
hear(S, <<_:4, Op:4, 0:1, 126:7, N:16, T:N/binary, Rest/binary>>) -> heard(S, Op, T, Rest);
hear(S, <<_:4, Op:4, 0:1, N:7, T:N/binary, Rest/binary>>) when N < 126 -> heard(S, Op, T, Rest);
hear(S, Got) ->
    {ok, More} = gen_tcp:recv(S, 0, 10000),
    hear(S, <<Got/binary, More/binary>>).

heard(_, 1, Text, Rest) -> {Text, Rest};
heard(S, 9, Text, Rest) -> say(S, 10, Text), hear(S, Rest).

%% -- tests

serves(_) ->
    {ok, Pid} = erltrace_web:start_link([{port, 0}, {nodes, []}]),
    Url = erltrace_web:url(Pid),
    {Port, Token} = host_port(Url),
    401 = status(Port, "/", ""),
    {Port, Cookie} = cookie(Url),
    200 = status(Port, "/", Cookie),
    401 = status(Port, ["/?token=", Token], ""),
    %% another browser: another URL, session and cookie
    Urls = [erltrace_web:url(Pid) || _ <- [1, 2, 3]],
    4 = length(lists:usort([Url | Urls])),
    4 = length(lists:usort([Cookie | [element(2, cookie(U)) || U <- Urls]])),
    ok = erltrace_web:stop(Pid),
    erltrace_test:wait(fun() -> gen_tcp:connect({127, 0, 0, 1}, Port, []) =:= {error, econnrefused} end, 10000).

traces_this_node(_) ->
    {module, shop} = code:ensure_loaded(shop),   % is_clean/0 looks at it
    with_name(fun() ->
        {ok, Pid} = erltrace_web:start_link([{port, 0}]),
        {Port, Cookie, Key} = session(erltrace_web:url(Pid)),
        {S, Rest} = websocket(Port, Cookie, "/list"),
        say(S, 1, <<"{\"t\":\"enter\",\"key\":\"", Key/binary, "\"}">>),
        say(S, 1, <<"erlang*:lists:seq/2:entry { @[\"calls\"] = count(); }">>),
        %% patterns come before flags
        erltrace_test:wait(fun() -> {flags, F} = erltrace_test:info(self(), flags), lists:member(call, F) end, 60000),
        [lists:seq(1, 3) || _ <- lists:duplicate(1000, x)],
        1000 = calls(S, Rest, 0),
        gen_tcp:close(S),
        erltrace_test:wait(fun erltrace_test:is_clean/0, 10000),
        ok = erltrace_web:stop(Pid)
    end).

calls(_, _, N) when N >= 1000 -> N;
calls(S, Rest, N) ->
    {Text, Rest1} = hear(S, Rest),
    case re:run(Text, "\"calls\":([0-9]+)", [{capture, all_but_first, binary}]) of
        {match, [More]} -> calls(S, Rest1, N + binary_to_integer(More));
        nomatch -> nomatch = re:run(Text, "error"), calls(S, Rest1, N)
    end.

ends_with_its_owner(_) ->
    Self = self(),
    [begin
         {Owner, Ref} = spawn_monitor(fun() ->
             {ok, Pid} = erltrace_web:start_link([{port, 0}, {nodes, []}]),
             Self ! {web, Pid, erltrace_test:port_pid(Pid)},
             receive How -> exit(How) end
         end),
         {Web, Os} = receive {web, P, O} -> {P, O} after 15000 -> error(not_started) end,
         true = alive(Os),
         exit(Owner, Reason),
         receive {'DOWN', Ref, _, _, _} -> ok end,
         erltrace_test:wait(fun() -> not is_process_alive(Web) end),
         erltrace_test:wait(fun() -> not alive(Os) end, 10000)
     end || Reason <- [kill, shutdown]].

alive(Os) -> filelib:is_dir("/proc/" ++ integer_to_list(Os)).

comes_back(_) ->
    {ok, Sup} = gen_sup([erltrace_web:child_spec([{name, web_suite}, {port, 0}, {nodes, []}])]),
    Url = erltrace_web:url(web_suite),
    Pid = whereis(web_suite),
    Os = erltrace_test:port_pid(Pid),
    _ = os:cmd("kill -9 " ++ integer_to_list(Os)),
    erltrace_test:wait(fun() -> not lists:member(whereis(web_suite), [Pid, undefined]) end, 15000),
    true = erltrace_web:url(web_suite) =/= Url,
    {_, Cookie} = cookie(erltrace_web:url(web_suite)),
    {Port, _} = host_port(erltrace_web:url(web_suite)),
    200 = status(Port, "/", Cookie),
    Os1 = erltrace_test:port_pid(whereis(web_suite)),
    unlink(Sup),
    exit(Sup, shutdown),
    erltrace_test:wait(fun() -> not alive(Os1) end, 10000).

gen_sup(Children) -> supervisor:start_link(?MODULE, Children).
init(Children) -> {ok, {#{strategy => one_for_one, intensity => 3, period => 10}, Children}}.

two_at_once(_) ->
    {ok, A} = erltrace_web:start_link([{port, 0}, {nodes, []}]),
    {ok, B} = erltrace_web:start_link([{port, 0}, {nodes, []}]),
    true = element(1, host_port(erltrace_web:url(A))) =/= element(1, host_port(erltrace_web:url(B))),
    ok = erltrace_web:stop(A),
    200 = begin {P, C} = cookie(erltrace_web:url(B)), status(P, "/", C) end,
    ok = erltrace_web:stop(B).

bad_options(_) ->
    process_flag(trap_exit, true),
    Error = fun(Options) -> {error, {dtrace, serve, Why}} = erltrace_web:start_link([{nodes, []} | Options]), Why end,
    "not an option of erltrace_web:start_link/1: {prot,0}" = Error([{prot, 0}]),
    "an address that others can reach needs --tls-cert and --tls-key, or --insecure: 0.0.0.0" = Error([{listen, "0.0.0.0"}]),
    "a port is a number up to 65535: 70000" = Error([{port, 70000}]),
    "cannot read the folder /nowhere: No such file or directory" = Error([{port, 0}, {scripts, "/nowhere"}]),
    "/nowhere/erltrace is not a program" = Error([{erltrace, "/nowhere/erltrace"}]),
    "not a text: 7" = Error([{listen, 7}]).

port_in_use(_) ->
    process_flag(trap_exit, true),
    {ok, A} = erltrace_web:start_link([{port, 0}, {nodes, []}]),
    {Port, _} = host_port(erltrace_web:url(A)),
    {error, {dtrace, serve, Why}} = erltrace_web:start_link([{port, Port}, {nodes, []}]),
    {match, _} = re:run(Why, "is the port in use"),
    ok = erltrace_web:stop(A).

no_name(_) ->
    process_flag(trap_exit, true),
    case node() of
        nonode@nohost ->
            {error, {dtrace, serve, Why}} = erltrace_web:start_link([{port, 0}]),
            {match, _} = re:run(Why, "-sname or -name");
        _ ->
            {skip, "this node has a name"}
    end.

%% Nobody on the machine can read it off the list of processes.
cookie_is_hidden(_) ->
    {ok, A} = erltrace_web:start_link([{port, 0}, {nodes, []}, {cookie, verysecret}]),
    {ok, Line} = file:read_file("/proc/" ++ integer_to_list(erltrace_test:port_pid(A)) ++ "/cmdline"),
    nomatch = binary:match(Line, <<"verysecret">>),
    ok = erltrace_web:stop(A).

%% This node, with a name for as long as the fun runs.
with_name(Fun) ->
    case node() of
        nonode@nohost ->
            _ = os:cmd("epmd -daemon"),
            Name = list_to_atom("web_suite_" ++ os:getpid()),
            {ok, _} = net_kernel:start([Name, shortnames]),
            true = erlang:set_cookie(node(), list_to_atom("c" ++ os:getpid())),
            try Fun() after net_kernel:stop() end;
        _ ->
            Fun()
    end.
