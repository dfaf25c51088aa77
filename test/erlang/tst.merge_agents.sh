# Agents that merge snapshots for each other: through several levels, again if an answer was lost, and without those that
# are gone, lie, or answer too late.
. "$srcdir/lib.sh"
cat >tree.erl <<'END'
-module(tree).
-include("conf.hrl").
-export([main/2, ev/1]).

ev(N) -> N.

%% A client is not traced.
events(N) ->
    {_, Ref} = spawn_monitor(fun() -> [ev(I) || I <- lists:seq(1, N)] end),
    receive {'DOWN', Ref, _, _, normal} -> ok end.

main(File, Library) ->
    {ok, Object} = file:read_file(File),
    [A, B, C, D, E] = All = [agent(Object, Library) || _ <- lists:seq(1, 5)],
    Below = fun(S) -> [{B, S, [{C, S, []}, {D, S, []}]}, {E, S, []}] end,
    events(100),
    say("first", ask(A, {merge, 0, 10000, Below(0)})),
    events(10),
    say("the answer was lost", ask(A, {merge, 0, 10000, Below(0)})),
    say("it has come", ask(A, {merge, 1, 10000, Below(1)})),
    say("only of one, directly", ask(C, {merge, 1, 10000, []})),
    say("nothing new", ask(A, {merge, 2, 10000, Below(2)})),
    events(7),
    %% B is gone, and with it the way to those below
    exit(B, kill),
    Gone = spawn(fun() -> ok end),
    Late = spawn(fun() -> late(none) end),
    Liars = [spawn(fun() -> lie(Lie) end)
             || Lie <- [{ok, #{'of' => [1], aggregations => <<1, 2, 3>>}}, {ok, #{'of' => [1, 2], aggregations => <<0:64>>}},
                        {ok, #{'of' => 1, aggregations => <<0:64>>}}, {ok, #{'of' => [1], aggregations => none}}, {error, <<"no">>}, 17]],
    Others = [{P, 0, []} || P <- [Gone, Late | Liars]],
    say("without those that are not there", ask(A, {merge, 3, 5000, Below(3) ++ Others})),
    Late ! {say, self()},
    receive said -> ok end,
    %% the late answer went nowhere, and A goes on
    say("others bring what was left", ask(A, {merge, 4, 10000, [{C, 3, []}, {D, 3, [{E, 4, []}]}]})),
    [ok = ask(P, close) || P <- All -- [B]],
    [exit(P, kill) || P <- [Late | Liars]],
    ok.

late(Asked) ->
    receive
        {erltrace_below, Alias, Ref, _} -> late({Alias, Ref});
        {say, To} -> {Alias, Ref} = Asked, Alias ! {Ref, {ok, #{'of' => [1], aggregations => <<0:64>>}}}, To ! said
    end.

lie(Lie) ->
    receive {erltrace_below, Alias, Ref, _} -> Alias ! {Ref, Lie}, lie(Lie) end.

agent(Object, Library) ->
    {ok, Agent} = erltrace_agent:start(self(), Library),
    #{protocol := Protocol} = erltrace_agent:info(),
    Conf = maps:merge(?CONF, #{strsize => 257, counters => 0}),
    {ok, _} = ask(Agent, {open, #{protocol => Protocol, object => Object, conf => Conf, nonce => <<>>}}),
    {ok, _} = ask(Agent, {bind, [#{id => 1, probe => {<<"erlang">>, <<"tree">>, <<"ev/1">>, <<"entry">>}, clause => 0, facts => []}]}),
    {ok, _} = ask(Agent, start),
    {ok, _} = ask(Agent, go),
    Agent.

ask(Agent, Request) ->
    Ref = make_ref(),
    Agent ! {erltrace, self(), Ref, Request},
    receive {Ref, Reply} -> Reply end.

say(What, {ok, #{'of' := Of, aggregations := <<_:64, Rest/binary>>}}) ->
    Counts = [N || <<0:64, 1:32/little, 0:32, N:64/little>> <= Rest],
    file:write_file("said", io_lib:format("~ts: ~w counts ~w~n", [What, Of, Counts]), [append]).
END
trace_script='erlang*:tree:ev/1:entry { @ = count(); }'
erlc -I "$srcdir" tree.erl || exit 1
node_start -pa . -pa "$BUILD/otp/erltrace/ebin" -s tree module_info
trace --compile-only -o tree.dobj -n "$trace_script" >/dev/null || exit 1
node_eval "file:set_cwd(\"$PWD\"), spawn(fun() -> ok = tree:main(\"$PWD/tree.dobj\", \"$BUILD/otp/erltrace/priv/erltrace_tracer\"), file:write_file(\"over\", <<>>) end), started."
wait=0
until [ -e over ] || [ $wait -gt 1200 ]; do
	sleep 0.05
	wait=$((wait + 1))
done
cat said
clean_node release
