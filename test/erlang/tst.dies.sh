# When a node dies, nothing that it had gathered is lost: it is read from the node's memory, END runs with the variables
# as they were, and nothing is counted twice. With bufpolicy=ring the last events before the end are there, in order.
# @@timeout: 240
. "$srcdir/lib.sh"
load='work(N) -> [lists:seq(1, X rem 9 + 1) || X <- lists:seq(1, N)], ok.'
printf -- '-module(dies).\n-export([work/1, die/2, done/0]).\n%s\ndone() -> ok.\ndie(N, How) -> spawn(fun() -> work(N), die(How) end).
die(halt) -> halt(); die(kill) -> os:cmd("kill -9 " ++ os:getpid()), timer:sleep(60000);
die(abort) -> os:cmd("kill -SEGV " ++ os:getpid()), timer:sleep(60000).\n' "$load" >dies.erl
erlc dies.erl || exit 1
export ERL_CRASH_DUMP_SECONDS=0

# Waits until processes that begin now are traced: the flags come last.
tracing() {
	i=0
	until [ "$(node_eval "$INFO"' {flags, F} = Info(new, flags), lists:member(call, F).')" = true ] || [ $i -ge 600 ]; do
		i=$((i + 1))
		sleep 0.1
	done
}

# Nothing is read before the end: the counts are all from memory, whatever way it ends.
for how in halt kill abort; do
	node_start -pa "$PWD"
	trace -q -x aggrate=600s -x switchrate=600s -x maxoverhead=0 -n 'BEGIN { g = 7; a["x"] = 5; printf("on\n"); }
		erlang*:dies:work/1:entry { went = 1; }
		erlang*:lists:seq/2:entry /went/ { @ = count(); @s = sum(1); n++; a["y"] = n; }
		END { printf("%d %d %d %d\n", g, n, a["x"], a["y"]); }' >out 2>err &
	pid=$!
	tracing
	node_eval "dies:die(20000, $how), ok." >/dev/null
	wait $pid
	echo "$how: $(tr -s ' \n' ' ' <out)"
	sed -e 's/.*; //' err
done

# While it is read all the time every event counts once.
node_start -pa "$PWD"
trace -q -x aggrate=1ms -x switchrate=1ms -x maxoverhead=0 -n 'erlang*:dies:work/1:entry { went = 1; }
	erlang*:lists:seq/2:entry /went/ { @ = count(); printf("r\n"); }' >out 2>err &
pid=$!
tracing
node_eval 'dies:die(20000, kill), ok.' >/dev/null
wait $pid
echo "read: $(tail -1 out | tr -d ' ') $(grep -c '^r$' out) $(grep -v '; its last state' err)"

# The flight recorder.
node_start -pa "$PWD" +S 1
trace -q -x bufpolicy=ring -x bufsize=4k -x maxoverhead=0 -n 'erlang*:dies:work/1:entry { went = 1; } erlang*:lists:seq/2:entry /went/ { n++; printf("%d\n", n); }' \
	>out 2>err &
pid=$!
tracing
node_eval 'dies:die(20000, abort), ok.' >/dev/null
wait $pid
tr -s ' \n' '\n' <out | awk 'NF { if (last && $1 != last + 1) bad = 1; last = $1; n++ } END { print "ring:", last, (n > 20), bad ? "out of order" : "in order" }'

# END runs once, also when the node dies after it has run it and before it can say so. raise() comes when the clauses are through.
node_start -pa "$PWD"
trace -q -w -x aggrate=600s -x switchrate=600s -x maxoverhead=0 -n 'erlang*:dies:work/1:entry { went = 1; }
	erlang*:lists:seq/2:entry /went/ { n++; @ = count(); }
	erlang*:dies:done/0:entry { exit(0); } END { printf("end %d\n", n); @e = count(); raise(9); }' >out 2>err &
pid=$!
tracing
node_eval 'dies:work(1000), dies:done().' >/dev/null
wait $pid
echo "end: $(tr -s ' \n' ' ' <out)"
sed -e 's/.*; //' err

# A node that the command has started, and that halts when it is done.
"$ERLTRACE" -q -x maxoverhead=0 -n 'erlang*:dies:work/1:entry { went = 1; } erlang*:lists:seq/2:entry /went/ { @ = count(); }' \
	-c "${ERL:-erl} -sname dies-$$ -setcookie $COOKIE -noinput -pa $PWD -eval dies:work(20000),halt()." 2>&1 | tr -s ' \n' ' '
echo "status $?"

# Where the memory cannot be had, that is said: the command of another user.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	node_start -pa "$PWD"
	: >out
	chmod 666 out
	# the command alone: the folder that it was built in may be nobody else's
	public=$(mktemp -d)
	chmod 755 "$public"
	cp "$ERLTRACE" "$public/erltrace"
	setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/ "$public/erltrace" -N "$NODE" --cookie "$COOKIE" -v -x switchrate=20ms \
		-n 'BEGIN { trace("on"); }' >out 2>err &
	pid=$!
	i=0
	until grep -q ' on *$' out || [ $i -ge 600 ]; do
		i=$((i + 1))
		sleep 0.1
	done
	node_eval 'halt().' >/dev/null 2>&1
	wait $pid
	rm -r "$public"
	grep -o 'is lost with it: the node.s process is another user.s' err
else
	printf 'is lost with it: the node'"'"'s process is another user'"'"'s\n%.0s' 1 2
fi
