# Two containers on one network, in each of which the VM is process 1, and epmd knows the name of both only for the second: -p
# traces the process that was given, and not the one to which its name leads.
# @@timeout: 120
. "$srcdir/lib.sh"
. "$srcdir/container.sh"
own_home
ERL_EPMD_PORT=$((20000 + $$ % 10000)) # not one that the system gives to connections
export ERL_EPMD_PORT
epmd_starts() {
	"$EPMD" -relaxed_command_check >epmd.log 2>&1 &
	epmd=$!
	NODES="$NODES $epmd"
	until "$EPMD" -names >/dev/null 2>&1; do
		kill -0 "$epmd" 2>/dev/null || { echo "epmd on port $ERL_EPMD_PORT: $(cat epmd.log)"; exit 1; }
		sleep 0.05
	done
}
has_library() { grep -q erltrace_tracer "/proc/$1/maps"; }
traces() { # which of the two has the library while the command traces
	: >out
	env --default-signal "$ERLTRACE" -q -p "$1" -x switchrate=20ms -n 'erlang$target:::process-spawn { printf("traced\n"); }' >out 2>err &
	command=$!
	until grep -q traced out || ! kill -0 $command 2>/dev/null; do sleep 0.05; done
	! has_library "$first" || echo first
	! has_library "$second" || echo second
	kill -INT $command
	wait $command || cat err
	while has_library "$first" || has_library "$second"; do sleep 0.1; done
}
epmd_starts
# it must not tell the next epmd its name again
inside '-m -p --mount-proc' : -sname box -setcookie said -start_epmd false \
	-eval 'spawn(fun() -> erlang:suspend_process(whereis(erl_epmd)), receive after infinity -> ok end end)'
first=$INNER
kill "$epmd"
wait "$epmd" 2>/dev/null
epmd_starts
inside '-m -p --mount-proc' : -sname box -setcookie said -start_epmd false
second=$INNER
sed -n 's/^NStgid.*[^0-9]\([0-9]*\)$/\1/p' "/proc/$first/status" "/proc/$second/status"
"$EPMD" -names | grep -c 'name box'
traces "$first"
traces "$second"
