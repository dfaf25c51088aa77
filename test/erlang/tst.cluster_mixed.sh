# Nodes of different OTP releases in one cluster: the values of all are merged, and stacks are put together by name.
# OTP27 and OTP29 name an erl of that release beside the installed one.
. "$srcdir/lib.sh"
[ -n "$OTP27$OTP29" ] || { echo 'neither OTP27 nor OTP29 names an erl of another release' >&2; exit 67; }

node_start; A=$NODE; PIDA=$NODE_PID
ALL="-N $A"
OTHERS=
for erl in $OTP27 $OTP29; do
	ERL=$erl
	node_start
	ALL="$ALL -N $NODE"
	OTHERS="$OTHERS $NODE:$NODE_PID"
done
releases=$(for i in $A $OTHERS; do NODE=${i%:*}; node_eval 'erlang:system_info(otp_release).'; done | sort -u | wc -l)
[ "$releases" -gt 1 ] || { echo 'all erl are of the same release' >&2; exit 67; }

env --default-signal "$ERLTRACE" --cookie "$COOKIE" $ALL -x switchrate=20ms -x aggrate=20ms -q -n '
	erlang*:calendar:is_leap_year/1:entry { @n = count(); @q = quantize(100); @s[ustack(1)] = count(); }
	erlang*:::process-spawn /copyinstr(arg1) == "lists:sort/1"/ { @p = count(); }
	tick-20ms { printf("tracing %s\n", node); }' >out 2>err &
TRACE_PID=$!
for i in $A $OTHERS; do
	wait=0
	until grep -q "tracing ${i%:*}@" out || ! kill -0 $TRACE_PID 2>/dev/null || [ $wait -gt 1200 ]; do
		sleep 0.05
		wait=$((wait + 1))
	done
done
n=0
for i in $A $OTHERS; do
	NODE=${i%:*}
	n=$((n + 7))
	node_eval '[calendar:is_leap_year(I) || I <- [1, 2, 3, 4, 5, 6, 7]], spawn(lists, sort, [[]]), ok.'
done | sort -u
kill -TERM $TRACE_PID
wait $TRACE_PID
echo "status $?"
n=$(($(echo $A $OTHERS | wc -w) * 7))
grep -v -e tracing -e '^$' out | sed -e "s/\\b$n\\b/all/g; s/\\b$((n / 7))\\b/each/g; s/  */ /g; s/^ //; s/[@|]//g; s/ *$//" | grep -v -e '^-* Dist' -e '^value'
grep -v -e matched -e ' does not answer; the others go on$' -e ' answers again$' err
for i in $A:$PIDA $OTHERS; do
	NODE=${i%:*} NODE_PID=${i#*:}
	clean_node
done | sort -u
