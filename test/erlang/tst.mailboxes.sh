# mailbox-100ms and similar probes report how long message queues are and by how much they have grown, for every process
# that has messages. scripts/mailboxes.d shows which queues are long. With 50,000 processes the node does not stall.
# From OTP 27 on the VM reports long queues by itself; before, the command says that it does not.
# @@timeout: 240
. "$srcdir/lib.sh"
fail() {
	echo "$*" >&2
	exit 1
}
node_start +P 200000
run() {
	got=$(node_eval "$1")
	[ "$got" = ok ] || fail "$1 gives $got"
}
wait_for() {
	n=0
	until grep -Eq "$1" "$2"; do
		n=$((n + 1))
		[ $n -lt 600 ] || fail "nothing like $1 in: $(tail -30 "$2")"
		sleep 0.1
	done
}
run 'register(full, spawn(fun() -> receive empty -> ok end, F = fun F() -> receive _ -> F() after 0 -> ok end end, F(), receive never -> ok end end)), [full ! N || N <- lists:seq(1, 500)], ok.'
trace_start out -n 'erlang*:::mailbox-100ms { @n[copyinstr(arg0), arg1] = max(arg2); @least[copyinstr(arg0)] = min(arg1); @grown[name(eproc)] = sum(arg2); }
	tick-100ms { printa("%s has %d %@d\n", @n); printa("%s grew %@d\n", @grown); }'
wait_for '^<0\.[0-9.]+> full has 500 0$' out
run '[full ! N || N <- lists:seq(1, 250)], ok.'
# a look may come between two of the messages; what it has grown by in all is exact
wait_for '^<0\.[0-9.]+> full has 750 [1-9][0-9]*$' out
wait_for '^full grew 250$' out
run 'full ! empty, ok.'
# a look may find it half empty
wait_for '^<0\.[0-9.]+> full has 0 -[0-9]+$' out
wait_for '^full grew -500$' out
trace_stop
grep -Eq '^<0\.[0-9.]+> full 0$' out.txt || fail "the shortest queue: $(cat out.txt)"

# the ready script, in front of many processes
run 'Ps = [spawn(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, 50000)], persistent_term:put(many, Ps), [hd(Ps) ! N || N <- lists:seq(1, 77)],
	register(longest, spawn(fun() -> receive stop -> ok end end)), [longest ! N || N <- lists:seq(1, 99)], ok.'
trace_start script -s "$srcdir/../../scripts/mailboxes.d"
wait_for '^ +<0\.[0-9.]+> longest +99$' script
wait_for '^ +<0\.[0-9.]+> .* 77$' script
run '[longest ! N || N <- lists:seq(1, 33)], ok.'
wait_for '^ +<0\.[0-9.]+> longest +132$' script
wait_for '^ +<0\.[0-9.]+> longest +33$' script
# what shrinks has not grown
run 'register(drained, spawn(fun() -> receive empty -> ok end, F = fun F() -> receive _ -> F() after 0 -> ok end end, F(), receive never -> ok end end)), [drained ! N || N <- lists:seq(1, 200)], ok.'
wait_for '^ +<0\.[0-9.]+> drained +200$' script
run 'drained ! empty, ok.'
rounds=$(($(grep -c 'GREW MOST' script) + 3)) n=0
until [ "$(grep -c 'GREW MOST' script)" -ge $rounds ]; do
	n=$((n + 1))
	[ $n -lt 600 ] || fail 'the script does not go on'
	sleep 0.1
done
trace_stop
grep -E ' -[0-9]+$' script.txt && fail 'what shrank is among those that grew'

trace_start long -n 'erlang*:::system-long_message_queue { printf("%s long %d\n", name(arg0), args[1]); } tick-10s { }'
if [ "$(node_eval 'list_to_integer(erlang:system_info(otp_release)) >= 27.')" = true ]; then
	run 'register(drain, spawn(fun() -> receive empty -> ok end, F = fun F() -> receive _ -> F() after 0 -> ok end end, F(), receive never -> ok end end)),
		[drain ! N || N <- lists:seq(1, 1500)], ok.'
	wait_for '^drain long 1$' long
	run 'drain ! empty, ok.'
	wait_for '^drain long 0$' long
else
	wait_for 'from OTP 27 on: system-long_message_queue does not fire; mailbox-1s tells' long.err
fi
trace_stop 2>/dev/null
[ "$(clean_node)" = clean ] || fail 'not clean'
exit 0
