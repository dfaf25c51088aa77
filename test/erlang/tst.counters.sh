# A clause that only counts calls uses the VM's own counters on OTP 27 and later, and events on older ones. The counts
# are exact either way, with printa(), clear(), trunc() and exit() in ticks, and when code is loaded again. OTP27 names
# an erl of OTP 27 if the installed one is older.
# @@timeout: 120
. "$srcdir/lib.sh"
. "$srcdir/counters.sh"
# waits for a line of the output
wait_for() {
	for i in $(seq 600); do
		grep -q "$1" "$2" && return
		sleep 0.1
	done
	echo "no '$1' in $2" >&2
}

echo "= keys, a predicate and constants"
trace_start out -n 'erlang*:load:*:entry /probefunc != "up/1"/ { @[probefunc] = count(); @m[probemod, probename, "calls", 7] = count(); @n = count(); }
	erlang*:load:*:entry /copyinstr(arg1) != "load:call/1"/ { @w[arg1 == NULL ? "" : copyinstr(arg1)] = count(); }'
is_way $way
node_eval '[load:call(I) || I <- lists:seq(1, 1000)], load:down(9), ok.'
trace_stop
sort out.txt

echo "= with a reload in the middle"
trace_start out -n 'erlang*:load:call/1:entry { @ = count(); } tick-100ms { printa("so far %@d\n", @); } END { printa("end %@d\n", @); }'
node_eval '[load:call(I) || I <- lists:seq(1, 300)], ok.'
wait_for '^so far 300$' out
node_eval 'code:purge(load), {module, load} = code:load_file(load), load:module_info(md5), ok.'
wait_for_way
node_eval '[load:call(I) || I <- lists:seq(1, 500)], ok.'
trace_stop
tail -1 out.txt

echo "= new code that is only prepared: what the old one had counted is not lost"
env --default-signal "$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -q -x switchrate=1h -x aggrate=1h -n 'erlang*:load:call/1:entry { @ = count(); }' >out &
TRACE_PID=$!
wait_for_way
node_eval '[load:call(I) || I <- lists:seq(1, 60)], {ok, Code} = file:read_file("load.beam"), New = erlang:prepare_loading(load, Code), timer:sleep(1000), code:purge(load), erlang:finish_loading([New]).'
wait_for_way
node_eval '[load:call(I) || I <- lists:seq(1, 6)], ok.'
kill -TERM $TRACE_PID
wait $TRACE_PID
xargs <out

echo "= what a tick prints and clears, and what the end has, is all there is"
node_eval 'register(calls, spawn(fun F() -> load:call(1), put(n, case get(n) of undefined -> 1; N -> N + 1 end), F() end)), ok.'
trace -q -x maxoverhead=0 -n '
erlang*:load:call/1:entry { @ = count(); @all = count(); @k[probefunc] = count(); }
tick-50ms { printa("part %@d\n", @); printa("key %@d %s\n", @k); clear(@); trunc(@k); i++; }
tick-50ms /i == 20/ { exit(0); }
END { printa("part %@d\n", @); printa("key %@d %s\n", @k); printa("all %@d\n", @all); }' >out || exit 1
node_eval 'exit(whereis(calls), kill).'
awk '$1 == "part" { n += $2; parts += $2 > 0 } $1 == "key" { k += $2 } $1 == "all" { all = $2 }
	END { print (n == all && k == all && all > 100 && parts > 3 ? "all of it" : n " and " k " of " all ", " parts " parts") }' out

echo "= exit() where events happen: no call after it is counted"
trace -q -n 'BEGIN { printf("begun\n"); } erlang*:load:call/1:entry { @ = count(); } erlang*:load:down/1:entry { exit(3); }' -x switchrate=20ms >out &
trace_pid=$!
wait_for begun out
wait_for_way
is_way events
node_eval '[load:call(I) || I <- lists:seq(1, 40)], load:down(0), [load:call(I) || I <- lists:seq(1, 40)], ok.'
wait $trace_pid
echo "status $?: $(sed -e '/begun/d; /^$/d' out)"
