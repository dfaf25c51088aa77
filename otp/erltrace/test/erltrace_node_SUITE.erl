%% erltrace:open([{node, Node}]): a script on another node, which has nothing of erltrace.
-module(erltrace_node_SUITE).
-include_lib("stdlib/include/assert.hrl").

-compile([export_all, nowarn_export_all]).

-import(erltrace_test, [start/2, wait/2]).

all() ->
    [traces, samples, is_refused, ends_with_owner].

%% A node that calls lists:seq/2 every few ms.
init_per_suite(Config) ->
    Name = "erltrace_peer_" ++ os:getpid(),
    Code = "io:format(\"up~n\"), (fun F() -> lists:seq(1, 5), receive after 5 -> F() end end)().",
    Port = open_port({spawn_executable, os:find_executable("erl")},
                     [{args, ["-sname", Name, "-setcookie", "peer_cookie", "-noinput", "-eval", Code]}, binary]),
    receive {Port, {data, _}} -> ok after 60000 -> error(no_peer) end,
    {os_pid, Pid} = erlang:port_info(Port, os_pid),
    [{peer, list_to_atom(Name ++ "@" ++ string:trim(os:cmd("hostname -s")))}, {os_pid, Pid} | Config].

end_per_suite(Config) ->
    os:cmd("kill -9 " ++ integer_to_list(proplists:get_value(os_pid, Config))),
    Config.

options(Config) ->
    [{node, proplists:get_value(peer, Config)}, {cookie, peer_cookie}].

traces(Config) ->
    H = start("erlang*:lists:seq/2:entry { @[node, probefunc] = count(); trace(1); }", options(Config)),
    Node = atom_to_list(proplists:get_value(peer, Config)),
    wait(fun() ->
                 case erltrace:walk(H) of
                     {ok, [{count, [Node, "seq/2"], N}]} when N > 0 -> true;
                     ok -> false
                 end
         end, 20000),
    {ok, [{probe, {"erlang" ++ _, "lists", "seq/2", "entry"}, 1} | _]} = erltrace:consume(H),
    {ok, Probes} = erltrace:list(H, "erlang*:lists:seq/2:"),
    ?assertMatch([_, _, _], Probes),
    %% nothing of it is here
    false = is_pid(whereis(erltrace_hub)),
    ok = erltrace:stop(H),
    #{state := stopped} = erltrace:status(H),
    ok = erltrace:close(H).

%% Stacks are lists of texts, one a frame.
samples(Config) ->
    H = start("erlang*:lists:seq/2:entry { @[ustack()] = count(); }", options(Config)),
    wait(fun() ->
                 case erltrace:walk(H) of
                     {ok, [{count, [["lists:seq/2" | Callers]], N}]} when N > 0, is_list(Callers) -> true;
                     ok -> false
                 end
         end, 20000),
    ok = erltrace:close(H).

is_refused(Config) ->
    Peer = proplists:get_value(peer, Config),
    {error, {dtrace, connect, Text}} = erltrace:open([{node, Peer}, {cookie, wrong}]),
    ?assertNotEqual(nomatch, string:find(Text, "cookie")),
    {error, {dtrace, connect, Text2}} = erltrace:open([{node, 'nobody_is_here@localhost'}, {cookie, c}]),
    ?assertNotEqual(nomatch, string:find(Text2, "nobody_is_here")).

%% Whoever opened it ends: a second script of the same peer sees that the first is gone, since only 16 can run at once.
ends_with_owner(Config) ->
    Options = options(Config),
    [begin
         {Pid, Ref} = spawn_monitor(fun() -> start("erlang*:lists:seq/2:entry { @ = count(); }", Options), exit(done) end),
         receive {'DOWN', Ref, process, Pid, Why} -> done = Why end
     end || _ <- lists:seq(1, 20)],
    H = start("erlang*:lists:seq/2:entry { @ = count(); }", Options),
    ok = erltrace:close(H).
