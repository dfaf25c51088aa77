%% Nodes whose distribution runs over TLS, for the command, which cannot speak TLS. The command starts an Erlang without
%% a node name, with the options of the cluster's own nodes (-ssl_dist_optfile, -ssl_dist_opt), and loads this module
%% into it. It takes connections of the command on a local socket and carries their bytes through TLS to a node and
%% back. The protocol inside is the usual one, between the command and that node, with their cookie.
-module(erltrace_tunnel).

-export([main/3]).

-define(CONNECT, 20000). % ms

%% Port is the command: when it is gone, we end. Name: of the local socket, which is not a file. Whoever connects there
%% must know the Token.
-spec main(port(), binary(), binary()) -> no_return().
main(Port, Name, Token) ->
    try
        {ok, _} = application:ensure_all_started(ssl),
        Options = client_options(),
        {ok, Listen} = gen_tcp:listen(0, [{ifaddr, {local, <<0, Name/binary>>}}, binary, {active, false}, {packet, line}]),
        spawn_link(fun() -> accept(Listen, Token, Options) end),
        port_command(Port, <<"up">>)
    catch
        _:Reason -> port_command(Port, text(Reason))
    end,
    receive
        {Port, _} -> halt(0)
    end.

accept(Listen, Token, Options) ->
    {ok, Socket} = gen_tcp:accept(Listen),
    Pid = spawn(fun() -> receive go -> serve(Socket, Token, Options) end end),
    ok = gen_tcp:controlling_process(Socket, Pid),
    Pid ! go,
    accept(Listen, Token, Options).

%% "Token Address Host TcpPort Network\n", answered with "ok\n" or with what went wrong, after "no " if nobody has answered
%% there. Network: the file of a network that is not ours, or "-".
serve(Socket, Token, Options) ->
    {ok, Line} = gen_tcp:recv(Socket, 0, ?CONNECT),
    [Token, Address, Host, Port, Network] = binary:split(string:trim(Line), <<" ">>, [global]),
    {ok, Ip} = inet:parse_address(binary_to_list(Address)),
    ok = inet:setopts(Socket, [{packet, raw}]),
    All = [{server_name_indication, binary_to_list(Host)}, {nodelay, true}, {mode, binary}, {active, false}
           | [{netns, binary_to_list(Network)} || Network =/= <<"-">>] ++ Options],
    case connect(Ip, binary_to_integer(Port), All) of
        {ok, Tls} ->
            ok = gen_tcp:send(Socket, <<"ok\n">>),
            Me = self(),
            spawn_link(fun() -> carry(fun() -> ssl:recv(Tls, 0) end, fun(Bytes) -> gen_tcp:send(Socket, Bytes) end, Me) end),
            spawn_link(fun() -> carry(fun() -> gen_tcp:recv(Socket, 0) end, fun(Bytes) -> ssl:send(Tls, Bytes) end, Me) end),
            receive over -> ok end,
            ssl:close(Tls);
        {error, Reason} = Error when is_atom(Reason), Reason =/= closed ->
            gen_tcp:send(Socket, ["no ", text(Error), $\n]);
        Error ->
            gen_tcp:send(Socket, [text(Error), $\n])
    end,
    gen_tcp:close(Socket).

%% A wrong option raises.
connect(Ip, Port, Options) ->
    try ssl:connect(Ip, Port, Options, ?CONNECT)
    catch _:Reason -> {error, Reason}
    end.

carry(From, To, Over) ->
    case From() of
        {ok, Bytes} ->
            case To(Bytes) of
                ok -> carry(From, To, Over);
                _ -> Over ! over
            end;
        _ ->
            Over ! over
    end.

%% One line.
text({error, {tls_alert, {Name, Why}}}) ->
    line(io_lib:format("~ts (~p)", [Why, Name]));
text({error, Reason}) ->
    text(Reason);
text(Reason) ->
    line(io_lib:format("~0p", [Reason])).

line(Text) ->
    Flat = unicode:characters_to_binary(Text),
    binary:part(<< <<(case C of $\n -> $\s; _ -> C end)>> || <<C>> <= Flat >>, 0, min(byte_size(Flat), 400)).

%% -- the client's part of what inet_tls_dist reads ---------------------------------------------------------------------

client_options() ->
    Options = case init:get_argument(ssl_dist_optfile) of
                  {ok, [[File] | _]} -> of_file(File);
                  error ->
                      case init:get_argument(ssl_dist_opt) of
                          {ok, Lists} -> pairs(lists:append(Lists));
                          error -> []
                      end
              end,
    %% the same for all versions of ssl: it is for the cluster to say what is to be verified
    case lists:keymember(verify, 1, Options) of
        true -> Options;
        false -> [{verify, verify_none} | Options]
    end.

of_file(File) ->
    case file:consult(File) of
        {ok, [All]} -> [option(O) || O <- proplists:get_value(client, All, []), kept(O)];
        {ok, _} -> error({"it is not one list", File});
        {error, Why} -> error({file:format_error(Why), File})
    end.

%% It concerns only the nodes themselves.
kept({ktls, _}) -> false;
kept(_) -> true.

option({verify_fun, {Module, Function, State}}) -> {verify_fun, {fun Module:Function/3, State}};
option(Option) -> Option.

pairs(["client_" ++ Name, Value | Rest]) ->
    [case Name of
         "verify" -> {verify, list_to_existing_atom(Value)};
         "depth" -> {depth, list_to_integer(Value)};
         "certfile" -> {certfile, Value};
         "keyfile" -> {keyfile, Value};
         "cacertfile" -> {cacertfile, Value};
         "password" -> {password, Value};
         "ciphers" -> {ciphers, Value};
         _ -> error({"it is not known here", "client_" ++ Name})
     end | pairs(Rest)];
pairs([_, _ | Rest]) ->
    pairs(Rest);
pairs(_) ->
    [].
