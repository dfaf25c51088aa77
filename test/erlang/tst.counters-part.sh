# -x countpart=10: calls are counted by the VM in one part of ten of the time, and in between no function has a counter.
# The end comes at once in either part, and nothing is left. Where the VM does not count, it is an error. OTP27 names an
# erl of OTP 27 if the installed one is older.
# @@timeout: 240
. "$srcdir/lib.sh"
. "$srcdir/counters.sh"
if [ $way = events ]; then
	trace -x countpart=10 -n 'erlang*:load:up/1:entry { @ = count(); }' 2>&1 |
		grep -q 'countpart: calls would be counted with events here, because counters of its own need OTP 27$' || echo "no error"
	echo "this OTP has no counters of ours" >&2
	exit 67
fi
wait_for() { # wait_for WAYS: until load:up/1 has such counters
	for i in $(seq 3000); do
		[ "$(node_eval "$COUNTS Ways().")" = "$1" ] && return
		sleep 0.02
	done
	echo "no $1"
}

echo "= a part of the calls is counted"
node_eval 'register(calls, spawn(fun F() -> load:call(1), put(n, case get(n) of undefined -> 1; N -> N + 1 end), F() end)), ok.'
so_far() { node_eval '{dictionary, D} = process_info(whereis(calls), dictionary), proplists:get_value(n, D).'; }
trace_start out -v -x countpart=10 -x maxoverhead=0 -n 'erlang*:*:*:entry { @[probemod, probefunc] = count(); }'
from=$(so_far)
for ways in '[counters]' '[]' '[counters]'; do
	wait_for "$ways"
done
trace_stop 2>err
to=$(so_far)
grep -o 'are counted by the VM, without events.*' err
awk -v all=$((to - from)) '$1 == "load" && $2 == "call/1" { n = $3 } END { print (n > 0 && n < all * .8 ? "a part" : n " of " all) }' out.txt
echo "after: $(clean_node)"

echo "= a tick has what was counted so far, and nothing is counted twice"
trace -q -x countpart=2 -x maxoverhead=0 -n '
erlang*:load:call/1:entry { @ = count(); @all = count(); }
tick-100ms { printa("part %@d\n", @); clear(@); i++; }
tick-100ms /i == 20/ { exit(0); }
END { printa("part %@d\n", @); printa("all %@d\n", @all); }' >out || exit 1
awk '$1 == "part" { n += $2 } $1 == "all" { all = $2 } END { print (n == all && all > 0 ? "all of it" : n " of " all) }' out

echo "= it ends while nothing is counted, and while something is"
for ways in '[]' '[counters]'; do
	trace_start out -x countpart=10 -n 'erlang*:load:*:entry { @[probefunc] = count(); }'
	wait_for "$ways"
	trace_stop
	echo "after: $(clean_node)"
done
node_eval 'exit(whereis(calls), kill).'

echo "= what it is not for"
for n in 0 1001; do
	trace -x countpart=$n -n 'erlang*:load:up/1:entry { @ = count(); }' 2>&1 | grep -o 'countpart.*'
done
trace -x countpart=10 -n 'erlang*:load:up/1:entry { @ = sum(1); }' 2>&1 | grep -o 'countpart.*'
trace -x countpart=10 -x counters=off -n 'erlang*:load:up/1:entry { @ = count(); }' 2>&1 | grep -o 'countpart.*'
echo "after: $(clean_node)"
