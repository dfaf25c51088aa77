# erltrace_metrics over several nodes: faults on each are counted, and so are notices, such as that a node is lost; what was
# counted before stays.
# @@timeout: 120
. "$srcdir/lib.sh"
node_start; B=$NODE B_PID=$NODE_PID
node_start -pa "$BUILD/otp/erltrace/ebin"; A=$NODE
cat >script.d <<'D'
/* @metric @calls shop_calls_total: Calls. */
erlang*:lists:duplicate/2:entry /args[0] > 1000/ { @calls = count(); @failed[1 / (args[0] - 1001)] = count(); }
D
other=$(node_eval "[_, Host] = string:split(atom_to_list(node()), \"@\"), list_to_atom(\"$B@\" ++ Host).")
node_eval "logger:set_primary_config(level, none), {ok, D} = file:read_file(\"$PWD/script.d\"),
	{ok, P} = erltrace_metrics:start_link(D, #{interval => 100, open => [{nodes, [node(), $other]}]}),
	unlink(P), register(metrics, P), ok."
until_has() {
	wait=0
	until node_eval "{_, T} = erltrace_metrics:scrape(metrics), ok = file:write_file(\"$PWD/scraped\", T)." >/dev/null && grep -q "^$1\$" scraped; do
		wait=$((wait + 1))
		[ $wait -lt 300 ] || { echo "never: $1"; cat scraped; return 1; }
		sleep 0.2
	done
}
node_eval "[lists:duplicate(1001, x), lists:duplicate(1002, x), rpc:call($other, lists, duplicate, [1001, x]), rpc:call($other, lists, duplicate, [1003, x])], ok."
until_has 'shop_calls_total 4'
until_has 'erltrace_script_errors_total 2'
grep notices scraped
kill -9 $B_PID
until_has 'erltrace_script_notices_total{kind="lost"} 1'
grep -e '^shop_calls' -e '^erltrace' -e '^# .*notices' scraped
node_eval 'erltrace_metrics:stop(metrics).'
clean_node release
