# Functions of erts, kernel and stdlib are counted exactly, although erltrace calls them itself, many times in a second:
# its own calls are never among them. With all functions of the node, with some that ticks print and clear, and over a
# reload. OTP27 names an erl of OTP 27 if the installed one is older.
# @@timeout: 120
. "$srcdir/lib.sh"
. "$srcdir/counters.sh"
erlc -o . "$srcdir/counted.erl" || exit 1
mkfifo go
functions='lists:foldr/3 lists:append/1 maps:to_list/1 maps:from_list/1 application:get_env/3 erlang:monotonic_time/1'
reads=erts_internal:trace_info/3 # reads counters, from OTP 27 on
[ $way = events ] || functions="$functions $reads"
probes=$(for f in $functions; do printf '%s' "${comma}erlang*:$f:entry"; comma=', '; done)
# calls each of the functions 5,000 times; nothing else happens on the node
work() {
	rm -f over
	echo go >go
	for i in $(seq 1200); do
		[ -s over ] && return
		sleep 0.05
	done
	echo "the work did not end"
}
work_start() {
	rm -f over
	node_eval 'counted:start("sh -c \"read go <go; echo go; read over; echo over >over\"", 5000), ok.' >started
}
# their counts in $1
counts() {
	for f in $functions; do
		line=$(grep "^${f%:*} ${f#*:} " "$1" || echo "no calls of $f")
		[ "$line" = "${reads%:*} ${reads#*:} 5000" ] || echo "$line"
	done
}

echo "= all functions"
work_start
trace_start out -v -x maxoverhead=0 -n 'erlang*:*:*:entry { @[probemod, probefunc] = count(); }'
work
trace_stop 2>err
counts out.txt
grep -c "calls of [0-9]* functions are counted $([ $way = counters ] && echo "by the VM, without events" || echo "with events, because counters of its own need OTP 27")$" err
grep -c 'are counted' err

# Our own calls would be there by the hundred; the node may do something itself meanwhile.
echo "= nothing happens but snapshots"
trace -q -x maxoverhead=0 -x aggrate=1ms -n "$probes"' { @[probemod, probefunc] = count(); } tick-1ms { printa(@); } tick-1s { exit(0); }' >out 2>/dev/null || exit 1
awk '$NF > 5' out

echo "= what ticks print and clear is all there is"
work_start
trace_start out -x maxoverhead=0 -x aggrate=1ms -n "$probes"' { @[probemod, probefunc] = count(); } tick-10ms { printa("part %s %s %@d\n", @); clear(@); } END { printa("part %s %s %@d\n", @); clear(@); }'
work
trace_stop
awk '$1 == "part" { n[$2 " " $3] += $4; parts += $4 > 0 } END { for (f in n) print f, n[f]; print (parts > 14 ? "many" : parts), "parts" }' out.txt >parts
counts parts
grep parts parts

echo "= a module of stdlib is loaded again"
node_eval '{module, queue} = code:ensure_loaded(queue), code:unstick_mod(queue), ok.'
trace_start out -n 'erlang*:queue:new/0:entry { @ = count(); } tick-100ms { printa("so far %@d\n", @); } END { printa("end %@d\n", @); }'
node_eval '[queue:new() || _ <- lists:seq(1, 300)], ok.'
for i in $(seq 600); do
	grep -q '^so far 300$' out && break
	sleep 0.1
done
node_eval 'code:purge(queue), {module, queue} = code:load_file(queue), ok.'
for i in $(seq 600); do
	[ "$(node_eval "$COUNTS"'
	    lists:any(fun(S) -> is_integer(element(2, apply(trace, info, [S, {queue, new, 0}, call_count]))) end, Counters)
	        orelse Info({queue, new, 0}, traced) =:= {traced, local}.')" = true ] && break
	sleep 0.1
done
node_eval '[queue:new() || _ <- lists:seq(1, 500)], ok.'
trace_stop
tail -1 out.txt
echo "after: $(clean_node)"
