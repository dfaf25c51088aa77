# A node that gets a name, and then another, while a script runs: from the next attach on `node` is the new one, in
# clauses of events and of ticks. Nobody waits for a firing then (tst.waits.sh).
# @@timeout: 120
. "$srcdir/lib.sh"
cat >renamed.erl <<'E'
-module(renamed).
-export([run/2]).
run(Name, Other) ->
	{ok, H} = erltrace:script("erlang*:lists:seq/2:entry { @[\"call\", node] = count(); } tick-10ms { @[\"tick\", node] = count(); }"),
	ok = erltrace:go(H),
	seen(H, nonode@nohost),
	{ok, _} = net_kernel:start([Name, shortnames]),
	attach(),
	Was = seen(H, node()),
	ok = net_kernel:stop(),
	{ok, _} = net_kernel:start([Other, shortnames]),
	attach(),
	true = seen(H, node()) =/= Was,
	ok = erltrace:close(H),
	io:format("renamed~n"),
	halt(0).

attach() ->
	{ok, H} = erltrace:script("BEGIN { exit(0); }"),
	ok = erltrace:go(H),
	ok = erltrace:close(H).

%% Returns the node's name when a call and a tick had it.
seen(H, Node) ->
	lists:seq(1, 2),
	Rows = case erltrace:walk(H) of {ok, R} -> R; ok -> [] end,
	case lists:usort([K || {count, [K, N], _} <- Rows, N =:= atom_to_list(Node)]) of
		["call", "tick"] -> Node;
		_ -> timer:sleep(20), seen(H, Node)
	end.
E
erlc -o . renamed.erl || exit 1
timeout 110 "${ERL:-erl}" -noinput -kernel logger_level error -setcookie "$COOKIE" -pa "$BUILD/otp/erltrace/ebin" \
	-eval "renamed:run(erltrace_test_a_$$, erltrace_test_b_$$)." >log 2>&1
grep '^renamed$' log || cat log
