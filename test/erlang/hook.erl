%% A webhook for tests: start(File) writes the body of each POST to the file, a line each, and answers with 200. hang() accepts connections and never
%% answers. Both return their port.
-module(hook).
-export([start/1, hang/0, serve/3]).

start(File) ->
    Self = self(),
    spawn(fun() ->
                  {ok, L} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}, {active, false}, {packet, http_bin}, binary, {reuseaddr, true}]),
                  {ok, Port} = inet:port(L),
                  Self ! {port, Port},
                  accept(L, File)
          end),
    receive {port, Port} -> Port end.

hang() ->
    {ok, L} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}, {active, false}]),
    {ok, Port} = inet:port(L),
    %% the socket must live as long as the node
    spawn(fun() -> receive never -> L end end),
    gen_tcp:controlling_process(L, whereis(init)),
    Port.

accept(L, File) ->
    {ok, S} = gen_tcp:accept(L),
    Pid = spawn(?MODULE, serve, [S, File, 0]),
    gen_tcp:controlling_process(S, Pid),
    accept(L, File).

serve(S, File, Length) ->
    case gen_tcp:recv(S, 0, 10000) of
        {ok, {http_header, _, 'Content-Length', _, N}} -> serve(S, File, binary_to_integer(N));
        {ok, http_eoh} ->
            inet:setopts(S, [{packet, raw}]),
            {ok, Body} = gen_tcp:recv(S, Length, 10000),
            ok = file:write_file(File, [string:trim(Body), "\n"], [append]),
            gen_tcp:send(S, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
            gen_tcp:close(S);
        {ok, _} -> serve(S, File, Length);
        _ -> gen_tcp:close(S)
    end.
