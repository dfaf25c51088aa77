%% erltrace:open([{nodes, Nodes}]): one script on several nodes, which have nothing of erltrace.
-module(erltrace_cluster_SUITE).
-include_lib("stdlib/include/assert.hrl").

-compile([export_all, nowarn_export_all]).

-import(erltrace_test, [start/2, wait/2]).

-define(COOKIE, "cluster_cookie").
-define(TIME, 60000).

all() ->
    [merges, records, is_lost, joins, is_refused, waits_before_go].

init_per_testcase(_, Config) ->
    [{peers, [peer() || _ <- [1, 2, 3]]} | Config].

end_per_testcase(_, Config) ->
    [stop(P) || {P, _} <- proplists:get_value(peers, Config)],
    erltrace_test:finish(),
    ok.

%% Some have ended by then.
stop(P) ->
    try peer:stop(P) catch _:_ -> ok end.

peer() ->
    {ok, P, Node} = peer:start(#{name => peer:random_name(), connection => standard_io, wait_boot => ?TIME,
                                 args => ["-setcookie", ?COOKIE, "-kernel", "logger_level", "error", "+S", "1"]}),
    {P, Node}.

options(Peers) ->
    [{nodes, [Node || {_, Node} <- Peers]}, {cookie, ?COOKIE}, {aggrate, "50ms"}, {switchrate, "50ms"}, {statusrate, "50ms"}].

%% Each number is an event.
events({P, _}, Numbers) ->
    [peer:call(P, lists, seq, [N, N]) || N <- Numbers],
    ok.

%% Adds up what walk/2 gives until it is as much as expected.
total(H, Name) ->
    case erltrace:walk(H, [names, keep]) of
        {ok, Elements} -> lists:sort([{Keys, V} || {N, _, Keys, V} <- Elements, N =:= Name]);
        ok -> []
    end.

merges(Config) ->
    [A, B, C] = Peers = proplists:get_value(peers, Config),
    H = start("erlang*:lists:seq/2:entry { @n[node] = count(); @s = sum((int)args[0]); @q = quantize((int)args[0]);"
              " @a = avg((int)args[0]); @d = stddev((int)args[0]); @min = min((int)args[0]); @max = max((int)args[0]); }",
              options(Peers)),
    events(A, [1, 2, 3]),
    events(B, [100, 200]),
    events(C, [7]),
    Want = lists:sort([{[atom_to_list(Node)], N} || {{_, Node}, N} <- [{A, 3}, {B, 2}, {C, 1}]]),
    wait(fun() -> total(H, "n") =:= Want end, ?TIME),
    ?assertEqual([{[], 313}], total(H, "s")),
    ?assertEqual([{[], 313 div 6}], total(H, "a")),
    ?assertEqual([{[], 1}], total(H, "min")),
    ?assertEqual([{[], 200}], total(H, "max")),
    %% as DTrace does it, with integers
    Squares = lists:sum([N * N || N <- [1, 2, 3, 100, 200, 7]]),
    ?assertEqual([{[], trunc(math:sqrt(Squares div 6 - (313 div 6) * (313 div 6)))}], total(H, "d")),
    [{[], Buckets}] = total(H, "q"),
    ?assertEqual([{1, 1}, {2, 2}, {4, 1}, {64, 1}, {128, 1}], [{Low, N} || {{Low, _}, N} <- Buckets, N > 0]),
    ok = erltrace:stop(H),
    ok = erltrace:close(H).

records(Config) ->
    [{_, NodeA} = A, {_, NodeB} = B | _] = Peers = proplists:get_value(peers, Config),
    H = start("erlang*:lists:seq/2:entry { trace((int)args[0]); }", options(Peers)),
    events(A, [11]),
    events(B, [22]),
    Got = consume_until(H, [], fun(Rs) -> length([x || {node, _, _} <- Rs]) >= 2 end),
    ?assertMatch([{node, NodeA, {probe, {"erlang", "lists", "seq/2", "entry"}, 11}},
                  {node, NodeB, {probe, _, 22}}], [R || {node, _, _} = R <- Got]),
    ok = erltrace:close(H).

consume_until(H, Got, Enough) ->
    New = case erltrace:consume(H) of
              ok -> timer:sleep(20), [];
              {ok, Records} -> Records
          end,
    All = Got ++ New,
    case Enough(All) of
        true -> All;
        false -> consume_until(H, All, Enough)
    end.

is_lost(Config) ->
    [{P, Node} = A, B | _] = Peers = proplists:get_value(peers, Config),
    H = start("erlang*:lists:seq/2:entry { @n = count(); }", options(Peers)),
    events(A, [1, 2, 3]),
    wait(fun() -> total(H, "n") =:= [{[], 3}] end, ?TIME),
    peer:stop(P),
    Got = consume_until(H, [], fun(Rs) -> [x || {notice, lost, _} <- Rs] =/= [] end),
    [{notice, lost, Text} | _] = [R || {notice, lost, _} = R <- Got],
    ?assertNotEqual(nomatch, string:find(Text, atom_to_list(Node))),
    events(B, [4]),
    wait(fun() -> total(H, "n") =:= [{[], 4}] end, ?TIME),
    ok = erltrace:close(H).

joins(Config) ->
    [{P, Node} = A, B | _] = proplists:get_value(peers, Config),
    H = start("erlang*:lists:seq/2:entry { @n[node] = count(); }", [{join, true} | options([A])]),
    {PB, NodeB} = B,
    pong = peer:call(PB, net_adm, ping, [Node]),
    Got = consume_until(H, [], fun(Rs) -> [x || {notice, node, _} <- Rs] =/= [] end),
    [{notice, node, Text} | _] = [R || {notice, node, _} = R <- Got],
    ?assertEqual("node " ++ atom_to_list(NodeB) ++ " has joined and is traced", Text),
    events(B, [1, 2]),
    peer:call(P, lists, seq, [1, 1]),
    Want = lists:sort([{[atom_to_list(Node)], 1}, {[atom_to_list(NodeB)], 2}]),
    wait(fun() -> total(H, "n") =:= Want end, ?TIME),
    ok = erltrace:close(H).

is_refused(Config) ->
    [{_, Node}, {_, NodeB} | _] = proplists:get_value(peers, Config),
    Refused = fun(Options, Says) ->
                      {error, {dtrace, connect, Text}} = erltrace:open(Options),
                      ?assertNotEqual(nomatch, string:find(Text, Says))
              end,
    Refused([{nodes, [Node, Node]}, {cookie, ?COOKIE}], "twice"),
    Refused([{nodes, [Node, NodeB]}, {cookie, "wrong"}], "cookie"),
    Refused([{nodes, [Node, 'nobody_is_here@localhost']}, {cookie, ?COOKIE}], "nobody_is_here"),
    Refused([{nodes, []}, {cookie, ?COOKIE}], "no node").

%% An agent ends when nobody has said anything to it for a while. A handle that has not started yet says something.
waits_before_go(Config) ->
    [{P, _} = A, {PB, _} | _] = Peers = proplists:get_value(peers, Config),
    {ok, H} = erltrace:open(options(Peers)),
    ok = erltrace:compile(H, "erlang*:lists:seq/2:entry { @n = count(); }"),
    [ok = peer:call(Q, application, set_env, [erltrace, silence, 4000]) || Q <- [P, PB]],
    [begin H ! alive, timer:sleep(500) end || _ <- lists:seq(1, 12)], % as it does by itself, but more often
    [ok = peer:call(Q, application, unset_env, [erltrace, silence]) || Q <- [P, PB]],
    ok = erltrace:go(H),
    events(A, [1]),
    wait(fun() -> total(H, "n") =:= [{[], 1}] end, ?TIME),
    ok = erltrace:close(H).
