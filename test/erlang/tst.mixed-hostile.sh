# Scripts about a node and the kernel that misbehave or meet much: clauses that all fault, buffers and strings that are far too
# small, a storm of processes that each have variables, two scripts at once of which one is killed, nodes that reload their
# code. Numbers are exact or what was dropped is said, the node lives, and nothing is left.
# @@timeout: 180
. "$srcdir/lib.sh"
"$ERLTRACE" -xengine=kernel -qn 'BEGIN { exit(0); }' >/dev/null 2>err || { sed -n '$p' err >&2; exit 67; }
node_start -pa "$BUILD/test/erlang"
ended() { # ends the command, and says what is left
	kill -INT $TRACE_PID
	wait $TRACE_PID
	echo "status $?, node: $(node_eval 'alive.'), after: $(clean_node)"
}

echo "-- every clause faults"
trace_start out -n 'erlang*:shop_db:store/2:entry { self->x = *(int *)arg9; @never = count(); }
	erlang*:shop_db:store/2:return { self->y = 1 / (int)(arg2 - arg2); @never = count(); }
	syscall::writev:entry /pid == $target/ { copyinstr(1); @never = count(); }
	syscall::writev:return /pid == $target && copyinstr(7) == emfa/ { @never = count(); }
	ERROR { @errors[arg4] = count(); } END { printa("fault %d: %@d\n", @errors); printa("never %@d\n", @never); }'
node_eval 'shop_db:load(4, 50).'
ended
# addresses: 200 calls, 600 system calls twice, and those of the node's own; divisions: 200 returns
awk '/^fault 1:/ { print "bad addresses:", ($3 >= 1400 ? "all" : $3) } /^fault 4:|^never/' out
grep -q 'invalid address' out.err && grep -q 'divide-by-zero' out.err && echo "errors are told"

echo "-- tiny buffers"
trace_start out -x strsize=8 -x bufsize=4k -x aggsize=2k -x dynvarsize=256 -x pidnames=off -n 'erlang*:shop_db:store/2:entry { self->a = eproc; self->b = emfa; x[eproc, emfa, timestamp] = copyinstr(arg1); @n = count(); }
	syscall::writev:entry /self->a != NULL/ { @[eproc, emfa, self->a, timestamp] = count(); printf("%s %s %s\n", eproc, self->a, x[eproc, emfa, 0]); }
	END { printa("entries %@d\n", @n); }'
node_eval 'shop_db:load(4, 50).'
ended
grep '^entries' out
grep -q 'drop' out.err && echo "drops are told"
grep '^<' out | awk '$1 != substr($1, 1, 7) || $2 != $1 { print "a longer text, or another process: " $0 }' | head -3

echo "-- a storm of processes"
trace_start out -x dynvarsize=64k -n 'erlang*:::process-spawn { self->born = timestamp; @spawned = count(); }
	erlang*:::process-exit /self->born/ { @ended = count(); } sched:::on-cpu /pid == $target && eproc != "" && self->born/ { @ran = count(); }
	END { printa("%@d were born\n", @spawned); printa("%@d ended\n", @ended); }'
node_eval 'F = fun F(0) -> ok; F(N) -> {P, R} = spawn_monitor(fun() -> ok end), receive {_, R, process, P, _} -> F(N - 1) end end, F(20000).'
ended
awk '/were born/ { print ($1 >= 20000 && $1 < 21000 ? "all were born" : $0) } / ended$/ { print ($1 >= 20000 && $1 < 21000 ? "all ended" : $0) }' out
grep 'dynamic variable' out.err

echo "-- two at once"
trace_start one -n 'erlang*:shop_db:store/2:entry { self->in = 1; @n[emfa] = count(); } syscall::writev:entry /self->in/ { @w = count(); }
	erlang*:shop_db:store/2:return { self->in = 0; } END { printa("one: %s %@d\n", @n); printa("one: %@d writes\n", @w); }'
one=$TRACE_PID
trace_start two -n 'erlang*:shop_db:write/2:entry { self->in = 1; @n[emfa] = count(); } syscall::writev:entry /self->in/ { @w = count(); }
	erlang*:shop_db:write/2:return { self->in = 0; } END { printa("two: %s %@d\n", @n); printa("two: %@d writes\n", @w); }'
two=$TRACE_PID
trace_start three -n 'erlang*:shop_db:store/2:entry { @n = count(); } syscall::writev:entry { @[eproc, emfa] = count(); }'
kill -9 $TRACE_PID
wait $TRACE_PID 2>/dev/null
node_eval 'shop_db:load(2, 30).'
kill -INT $two
wait $two
node_eval 'shop_db:load(1, 10).'
TRACE_PID=$one
ended
grep -h '^one:\|^two:' one two
cat one.err two.err

echo "-- the code is loaded again"
trace_start out -n 'erlang*:shop_db:store/2:entry { @n[emfa] = count(); } syscall::writev:entry /eproc != ""/ { @w = count(); } END { printa("%s %@d\n", @n); }'
node_eval "$INFO"' shop_db:load(1, 10), {module, _} = code:load_abs(filename:rootname(code:which(shop_db))),
	Wait = fun Wait(0) -> never; Wait(N) ->
	    case Info({shop_db, store, 2}, traced) of {traced, local} -> ok; _ -> timer:sleep(50), Wait(N - 1) end
	end,
	ok = Wait(600), shop_db:load(1, 10), code:purge(shop_db).'
ended
grep '^shop_db' out
