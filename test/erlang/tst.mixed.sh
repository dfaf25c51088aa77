# One script about a node and the kernel: the erlang clauses fire through the library in the node, self-> follows the
# Erlang process from scheduler to scheduler, and eproc is known in system calls. Counts are exact, only what is named is
# traced, and nothing is left, however it ends.
# @@timeout: 180
. "$srcdir/lib.sh"
"$ERLTRACE" -xengine=kernel -qn 'BEGIN { exit(0); }' >/dev/null 2>err || { sed -n '$p' err >&2; exit 67; }
store='erlang*:shop_db:store/2:entry { self->mfa = copyinstr(arg1); self->p = copyinstr(arg0); self->t = timestamp; @entries = count(); }
	syscall::writev:entry /self->mfa != NULL/ { @writes[self->mfa, node] = count(); @by[eproc] = count(); }
	syscall::writev:entry /self->p != NULL && self->p != eproc/ { @strange[self->p, eproc] = count(); }
	erlang*:shop_db:store/2:return /self->t/ { @returns[self->mfa, timestamp > self->t] = count(); self->mfa = 0; self->p = 0; self->t = 0; }'
node_start -pa "$BUILD/test/erlang"

# As in the manual, and the second time with a library that was sent to the node and removed.
cp "$ERLTRACE" alone
for command in "$ERLTRACE" ./alone; do
	ERLTRACE=$command trace_start out -n "$store" -n 'END { printa("entries %@d\n", @entries); printa("%s on %s: %@d writes\n", @writes);
		printa("returns of %s, later %d: %@d\n", @returns); printa("%s wrote %@d times\n", @by); printa("strange %s %s\n", @strange); }'
	node_eval "$INFO {Info({shop_db, store, 2}, traced), Info({shop_db, other, 1}, traced)}."
	node_eval 'shop_db:load(4, 50).'
	kill -INT $TRACE_PID
	wait $TRACE_PID
	cat out.err
	sed -e /^tracing/d -e "s/$NODE@[^:]*/NODE/" -e 's/^<[0-9.]*> wrote/a process wrote/' out | sed '/^ *$/d'
	echo "after: $(clean_node)"
done

echo "-- a node without its probes"
trace_start out -n 'syscall::writev:entry /pid == $target && eproc != ""/ { @[eproc] = count(); } END { printa("<%s> %@d\n", @); }'
pid=$(node_eval 'shop_db:other(70).' | tr -d '"')
kill -INT $TRACE_PID
wait $TRACE_PID
grep -F "<$pid>" out | sed 's/.*> /the process wrote /'

echo "-- exit() and END"
trace_start out -n 'erlang*:::process-exit /copyinstr(arg1) == "boom"/ { printf("%s %s\n", copyinstr(arg1), eproc == copyinstr(arg0) ? "itself" : "another"); exit(3); }
	syscall::read:entry { } END { printf("END\n"); }'
node_eval 'spawn(fun() -> exit(boom) end), ok.'
wait $TRACE_PID
echo "status $?"
sed /^tracing/d out

echo "-- terms"
trace -n 'erlang*:shop_db:store/2:entry { @[args[1]] = count(); } syscall::read:entry { }' 2>&1 | grep -o 'terms cannot be looked into'

echo "-- killed"
trace_start out -n "$store"
kill -9 $TRACE_PID
wait $TRACE_PID 2>/dev/null
tries=0
until [ "$(clean_node)" = clean ] || [ $tries -ge 100 ]; do sleep 0.1; tries=$((tries + 1)); done
echo "after: $(clean_node)"

echo "-- the node dies"
trace_start out -n "$store" -n 'END { printf("END\n"); }'
kill -9 "$NODE_PID"
wait $TRACE_PID
echo "status $?"
grep -o 'the engine is gone' out.err
grep '^END' out

echo "-- ready-made scripts"
node_start -pa "$BUILD/test/erlang"
for s in process-syscalls function-syscalls; do
	case $s in
	function*) trace_start out -s "$srcdir/../../scripts/function-syscalls.d" shop_db ;;
	*) trace_start out -s "$srcdir/../../scripts/process-syscalls.d" ;;
	esac
	node_eval 'shop_db:load(1, 40).'
	trace_stop
	sed -n -e 's/^<[0-9.]*> writev [0-9]* \([0-9]*\)$/a process: \1/p' -e 's/^\(shop_db:[^ ]* writev\)/\1/p' out.txt | grep -v ': [1-9]$'
done
echo "after: $(clean_node)"
