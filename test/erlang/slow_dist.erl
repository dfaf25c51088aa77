%% For tests of what happens between nodes: a connection that takes its time, and a server to call. As -epmd_module of a
%% node it connects that to the port $SLOW_PORT, where proxy/1 of another VM listens. This hands on what it gets, each
%% direction with its own delay.
-module(slow_dist).
-behaviour(gen_server).
-export([proxy/1, call/2, start/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).
-export([start_link/0, register_node/2, register_node/3, address_please/3, listen_port_please/2, names/1]).

%% -- the node's way to others
start_link() -> erl_epmd:start_link().
register_node(Name, Port) -> erl_epmd:register_node(Name, Port).
register_node(Name, Port, Family) -> erl_epmd:register_node(Name, Port, Family).
listen_port_please(Name, Host) -> erl_epmd:listen_port_please(Name, Host).
names(Host) -> erl_epmd:names(Host).
address_please(_, _, _) -> {ok, {127, 0, 0, 1}, list_to_integer(os:getenv("SLOW_PORT")), 6}.

%% -- the proxy: [name of the node behind it, ms there, ms back]
proxy([Name, There, Back]) ->
    {port, Port, _} = erl_epmd:port_please(Name, {127, 0, 0, 1}),
    {ok, Listen} = gen_tcp:listen(0, [binary, {active, false}, {reuseaddr, true}, {ip, {127, 0, 0, 1}}, {nodelay, true}]),
    {ok, Own} = inet:port(Listen),
    io:format("port ~b~n", [Own]),
    accept(Listen, Port, list_to_integer(There), list_to_integer(Back)).

accept(Listen, Port, There, Back) ->
    {ok, From} = gen_tcp:accept(Listen),
    spawn(fun() ->
                  {ok, To} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}, {nodelay, true}]),
                  spawn_link(fun() -> carry(From, To, There) end),
                  carry(To, From, Back)
          end),
    accept(Listen, Port, There, Back).

carry(From, To, Ms) ->
    Writer = spawn_link(fun() -> write(To) end),
    read(From, Writer, Ms).

read(From, Writer, Ms) ->
    {ok, Bytes} = gen_tcp:recv(From, 0),
    erlang:send_after(Ms, Writer, Bytes),
    read(From, Writer, Ms).

write(To) ->
    receive Bytes -> ok = gen_tcp:send(To, Bytes) end,
    write(To).

%% -- the server, and many callers at once
start() -> {ok, _} = gen_server:start({local, slow_dist}, ?MODULE, [], []).
init([]) -> {ok, []}.
handle_call(Request, _, S) -> {reply, Request, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info(_, S) -> {noreply, S}.

call(Node, N) ->
    Refs = [begin
                gen_server:cast({slow_dist, Node}, I),
                {slow_dist, Node} ! I,
                monitor(process, spawn(fun() -> timer:sleep(10 * I), I = gen_server:call({slow_dist, Node}, I, infinity) end))
            end || I <- lists:seq(1, N)],
    [receive {'DOWN', Ref, _, _, Why} -> normal = Why end || Ref <- Refs],
    done.
