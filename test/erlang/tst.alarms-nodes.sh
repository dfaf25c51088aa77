# erltrace_alarms over several nodes: the same alert on two of them is two alarms, with the node in the id, so that the end of
# one leaves the other set. What is about the sum of all nodes has no node in its id.
# @@timeout: 120
. "$srcdir/lib.sh"
cat >shop.erl <<'E'
-module(shop).
-export([tick/1]).
tick(_) -> ok.
E
erlc shop.erl || exit 1
node_start -pa .; B=$NODE
node_start -pa "$BUILD/otp/erltrace/ebin" -pa .; A=$NODE
cat >script.d <<'D'
alert count(@n) > 3 over 60s "[critical sum] %@d";
erlang*:shop:tick/1:entry { @n = count(); alert("[error seen] %d", args[0]); }
D
until_true() {
	wait=0
	until [ "$(node_eval "$1.")" = true ]; do
		wait=$((wait + 1))
		[ $wait -lt 300 ] || { echo "never: $1"; node_eval 'io_lib:format("~0p", [alarm_handler:get_alarms()]).'; return 1; }
		sleep 0.2
	done
}
ids() {
	node_eval "file:write_file(\"$PWD/shown\", io_lib:format(\"~0p~n\", [lists:sort([Id || {Id, _} <- alarm_handler:get_alarms()])]))." >/dev/null
	sed "s/$A@[^']*/A/; s/$B@[^']*/B/" shown
}
other=$(node_eval "[_, Host] = string:split(atom_to_list(node()), \"@\"), list_to_atom(\"$B@\" ++ Host).")
node_eval "logger:set_primary_config(level, none), ok = application:start(sasl), shop:module_info(), rpc:call($other, shop, module_info, []),
	{ok, D} = file:read_file(\"$PWD/script.d\"),
	{ok, P} = erltrace_alarms:start_link(D, #{to => [alarm_handler], interval => 100, resolve => 3000, open => [{nodes, [node(), $other]}]}),
	unlink(P), register(alarms, P), ok."
# on both it goes on until it is told to stop
node_eval "[register(N, spawn(fun() -> (fun Fire() -> rpc:call(On, shop, tick, [7]), receive stop -> ok after 100 -> Fire() end end)() end)) || {N, On} <- [{here, node()}, {there, $other}]], ok."
until_true 'length(alarm_handler:get_alarms()) == 3'
ids
# one of them is over: the other stays
node_eval 'here ! stop.'
until_true 'length(alarm_handler:get_alarms()) == 2'
ids
node_eval 'there ! stop.'
until_true 'length(alarm_handler:get_alarms()) == 1'
node_eval 'erltrace_alarms:stop(alarms).'
until_true 'alarm_handler:get_alarms() == []'
clean_node release
