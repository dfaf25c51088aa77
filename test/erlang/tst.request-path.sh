# scripts/request-path.d shows the way of a request through three servers: who, what was asked, what came back, in the
# order in which they were asked. Times are those of the workload: none is shorter than the server slept, what a server
# asks lies within what it was asked, and the whole is not longer than the client itself measured. Requests with and
# without a limit of time, one that waits behind others, one that is given up, one that is put aside, one from another
# node, one of a server alone, one in so many. Nothing is left.
# @@timeout: 180
. "$srcdir/lib.sh"
script=$srcdir/../../scripts/request-path.d
elixir=$(ls -d /usr/lib/elixir/lib/elixir/ebin /usr/local/lib/elixir/lib/elixir/ebin 2>/dev/null | head -1)
node_start -pa "$BUILD/test/erlang" ${elixir:+-pa "$elixir"}
node_eval 'chain:start().'

# shown N: waits for N requests and ends the script; path: the blocks with servers by name, without numbers
shown() { # shown N
	n=0
	until [ "$(grep -c '^ *AT us' out)" -ge "$1" ] || [ $n -gt 600 ]; do n=$((n + 1)); sleep 0.05; done
	trace_stop
}
path() {
	sed -n -e 's/^[0-9]* [A-Z][a-z]* .* us for .*/request/p' -e 's/^[0-9-]* [0-9-]* [0-9-]* [0-9-]* <[0-9.]*> /  /p' \
		-e '/requests followed/p' out.txt
}
# The client measured so many us; the servers slept so many ms. Columns: AT WAIT RUN OWN.
check() { # check US FRONT MIDDLE BACK
	awk -v us="$1" -v front="$2" -v middle="$3" -v back="$4" '
		function low(what, value, least) { if (value < least) print what " is " value ", less than " least }
		/ us for / { for (i = 2; i < NF; i++) if ($(i + 1) == "us" && $(i + 2) == "for") total = $i }
		$6 ~ /^(front|middle|back)$/ && $5 ~ /^</ {
			low($6 " OWN", $4, ($6 == "front" ? front : $6 == "middle" ? middle : back) * 1000)
			low($6 " RUN", $3, $4)
			low($6 " WAIT", $2, 0)
			if (n++) {
				low($6 " AT", $1, begin + (before == "front" ? front : middle) * 1000)
				low("end of " before, end + 2, $1 + $2 + $3)
			}
			begin = $1 + $2; end = $1 + $2 + $3; before = $6
			if (n == 1) low("total", total + 2, end)
		}
		END { low("client", us, total); low("total", total, (front + middle + back) * 1000); print n " servers" }' out.txt
}

for limit in infinity 60000; do
	echo "-- limit $limit"
	trace_start out -s "$script" 50000 0 front
	took=$(node_eval "element(2, chain:order({10, 20, 30}, $limit)).")
	node_eval 'element(1, chain:ask({sleep, 1})) =/= none.' # another server
	node_eval 'element(1, chain:order({0, 0, 0})) =/= none.' >quick # not slow, unless the machine is
	shown 1
	path | sed 4q
	sed -n '1,/ back /p' out.txt >one && mv one out.txt
	check "$took" 10 20 30
done

echo "-- behind others"
trace_start out -s "$script" 0 0 front
node_eval 'ok = sys:suspend(front),
	Ps = [spawn_monitor(fun() -> chain:order({20, 0, 0}) end) || _ <- lists:seq(1, 4)],
	Queued = fun Queued() -> {_, N} = process_info(whereis(front), message_queue_len), N >= 4 orelse (timer:sleep(5) =:= ok andalso Queued()) end,
	true = Queued(),
	ok = sys:resume(front),
	[receive {_, R, _, _, _} -> ok end || {_, R} <- Ps].'
shown 4
path
awk '$6 == "front" && $5 ~ /^</ { if ($2 < 20000 * n) print "the request " n " waited only " $2; n++ }' out.txt

echo "-- given up"
trace_start out -s "$script" 0 0 back
node_eval 'element(1, chain:late()) =/= none.'
shown 2
path
awk '$6 == "back" && $5 ~ /^</ && n++ == 0 && $2 + $3 < 50000 { print "given up too soon: " $2 + $3 }' out.txt

echo "-- put aside"
trace_start out -s "$script"
node_eval 'element(1, chain:beside()) =/= none.'
shown 3
path | grep -A1 request | grep -E '(front|back) .*(aside|sleep)' | sort

echo "-- no request to this server"
trace_start out -s "$script" 0 0 frnot
node_eval 'element(1, chain:ask({sleep, 1})) =/= none.'
trace_stop
sed -n '/[a-z]/p' out.txt

# Elixir's GenServer looks the name up itself, so the server is a pid for the client.
echo "-- GenServer.call"
call=gen_server:call
[ "$(node_eval "element(1, code:ensure_loaded('Elixir.GenServer')).")" != module ] || call="'Elixir.GenServer':call"
trace_start out -s "$script" 0
node_eval "$call(front, {order, {0, 0, 0}}, 60000)."
shown 1
path | grep -A2 ' front'

echo "-- more servers than are shown"
node_eval 'chain:deep(18).'
trace_start out -s "$script" 0 0 deep1
node_eval 'element(1, chain:ask(deep1, 18)) =/= none.'
shown 1
path
grep '^and' out.txt
trace_start out -s "$script" 100000000
trace_stop
path

echo "-- from another node"
node=$NODE
host=$(node_eval 'node().' | sed "s/.*@//; s/'//g")
trace_start out -s "$script" 6000
node_start
other=$NODE
node_eval "gen_server:call({front, '$node@$host'}, {order, {1, 2, 3}})."
NODE=$node
shown 1
path | grep -A2 ' front'

echo "-- one in three"
trace_start out -s "$script" 0 0 back 3
node_eval '[chain:ask({sleep, 0}) || _ <- lists:seq(1, 30)], ok.'
shown 10
path | sort | uniq -c | sed 's/^ *//'
echo "after: $(clean_node)"

echo "-- killed"
trace_start out -s "$script"
node_eval "$INFO Info({gen_server, try_handle_call, 4}, traced)."
node_eval '[spawn(fun() -> chain:order({1, 1, 1}) end) || _ <- lists:seq(1, 20)], ok.'
kill -9 $TRACE_PID
wait $TRACE_PID 2>/dev/null
tries=0
until [ "$(clean_node)" = clean ] || [ $tries -ge 50 ]; do sleep 0.1; tries=$((tries + 1)); done
echo "after: $(clean_node)"
