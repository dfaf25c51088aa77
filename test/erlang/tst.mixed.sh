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
	sed -e /^tracing/d -e "s/$NODE@[^:]*/NODE/" -e 's/^<[0-9.]*> \(erlang:apply.2 \)*wrote/a process wrote/' out | sed '/^ *$/d'
	echo "after: $(clean_node)"
done

echo "-- a node without its probes"
trace_start out -n 'syscall::writev:entry /pid == $target && eproc != ""/ { @[eproc] = count(); } END { printa("<%s> %@d\n", @); }' -x pidnames=off
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

echo "-- emfa and names"
node_start -pa "$BUILD/test/erlang"
node_eval 'register(till, spawn(fun() -> receive {go, From} -> shop_db:load_here(50), From ! done end, receive never -> ok end end)),
	register(oven, spawn(fun() -> shop_db:burn() end)), ok.'
# (an emulated processor spends more of a scheduler on it than is allowed)
trace_start out -x engine=kernel ${SLOW:+-x maxoverhead=0} -n 'erlang*:shop_db:store/2:entry { @["entry", emfa, name(eproc)] = count(); }
	erlang*:shop_db:store/2:return { @["return", emfa, name(arg0)] = count(); }
	syscall::writev:entry /pid == $target && eproc != ""/ { @["writev", "", name(eproc)] = count(); @pids[eproc] = count(); }
	syscall::writev:entry /pid == $target && emfa == "prim_file:write_nif/2"/ { @nif[name(eproc)] = count(); }
	profile-997 /eproc != "" && emfa == "shop_db:burn/0"/ { @burnt[name(eproc)] = count(); printf("%s\n", name(eproc)); }
	profile-997 /emfa != "" && eproc == ""/ { @strange["a function without a process"] = count(); }
	END { printa("%s %s %s %@d\n", @); printa("strange %s %@d\n", @strange); printa(@pids); printa("by the NIF: %s %@d\n", @nif); printa("burnt by %s\n", @burnt); }'
till=$(node_eval 'pid_to_list(whereis(till)).' | tr -d '"')
node_eval 'till ! {go, self()}, receive done -> done end.'
tries=0
until grep -q '^oven$' out || [ $tries -ge 300 ]; do sleep 0.1; tries=$((tries + 1)); done
trace_stop
grep -e '^entry' -e '^return' -e '^writev' -e ^strange -e ^burnt out.txt | grep -v -e '^writev <' -e '^writev [a-su-z]' | sort
# now and then the VM has it run on before it leaves the scheduler
awk '/^by the NIF: till/ { print "by the NIF:", ($5 >= 90 && $5 <= 100 ? "nearly all" : $5) }' out.txt
grep -F "$till " out.txt | sed 's/<[0-9.]*>/PID/'
sed -n '/^oven$/{p;q}' out.txt

echo "-- stacks of all layers"
node_eval 'register(writer, spawn(fun() -> F = fun F() -> shop_db:load_here(50), F() end, F() end)), ok.'
flame='profile-997 /pid == $target/ { @[eproc, ustack(), stack()] = count(); n++; } tick-100ms /n > 400/ { exit(0); } tick-60s { exit(0); }'
trace -q -o flame.svg -n "$flame" >all
echo "status $?"
# (Erlang's functions are those that the JIT has made)
[ "$(node_eval 'erlang:system_info(emu_flavor).')" = jit ] && burn=shop_db:burn/0 || burn='beam.smp`'
for frame in '&lt;0\.[0-9.]*&gt;' "$burn" 'beam.smp`' 'vmlinux`'; do grep -q "<title>$frame" flame.svg || echo "no frame $frame"; done
trace -q -x engine=user -n "$flame" >inside 2>&1
grep -q 'shop_db:burn/0' inside && ! grep -q 'vmlinux`' inside && echo "inside the node: only Erlang's"
node_eval 'exit(whereis(oven), kill), exit(whereis(writer), kill), ok.'
echo "after: $(clean_node)"

echo "-- ready-made scripts"
for s in process-syscalls function-syscalls; do
	case $s in
	function*) trace_start out -s "$srcdir/../../scripts/function-syscalls.d" shop_db ;;
	*) trace_start out -s "$srcdir/../../scripts/process-syscalls.d" ;;
	esac
	node_eval 'shop_db:load(1, 40).'
	trace_stop
	awk '/^<.* writev / { n[$1] += $NF; if (/ writev prim_file:write_nif.2 /) nif[$1] += $NF } # a short life has no name
		/^shop_db:[^ ]* writev/
		END { for (p in n) if (n[p] > 9) print "a process:", n[p], (nif[p] >= 110 ? "mostly in the NIF" : nif[p]) }' out.txt
done
echo "after: $(clean_node)"
