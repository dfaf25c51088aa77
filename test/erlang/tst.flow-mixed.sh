# Flow indentation of a script about a node and the kernel: system calls are lines of the process that makes them, on
# whichever scheduler. If no erlang probe is named, threads are indented by themselves in DTrace's columns, and nothing is
# traced in the node for it.
# @@timeout: 120
. "$srcdir/lib.sh"
"$ERLTRACE" -xengine=kernel -qn 'BEGIN { exit(0); }' >/dev/null 2>err || { sed -n '$p' err >&2; exit 67; }
node_start -pa "$BUILD/test/erlang"

run() { # run EXPRESSION [arguments]
	expression=$1
	shift
	: >out
	env --default-signal "$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -x switchrate=20ms -F "$@" -n 'tick-20ms { printf("\ntracing\n"); }' >out 2>out.err &
	trace_pid=$!
	until grep -q '^tracing' out; do
		kill -0 $trace_pid 2>/dev/null || break
		sleep 0.05
	done
	node_eval "$expression"
	kill -TERM $trace_pid
	wait $trace_pid
	grep -v -e '^erltrace: description' -e '^	' out.err
}
run 'shop_db:load(2, 2).' -n 'erlang*:shop_db:store/2:entry, erlang*:shop_db:store/2:return { }
	syscall::writev:entry, syscall::writev:return /pid == $target/ { }'
head -1 out | sed 's/ *$//'
# The processes that store, one after the other; CPUs are not known.
sed -n -e 's/ *$//' -e 's/^ *[0-9][0-9]* \(<.*\)/\1/p' out | awk '{ p = $1; lines[p] = lines[p] substr($0, index($0, " ")) "\n" }
	/-> store/ { if (!(p in stores)) order[n++] = p; stores[p] = 1 }
	END { for (i = 0; i < n; i++) printf "process %d\n%s", i + 1, lines[order[i]] }'

echo "-- system calls alone"
run "$INFO"'
	P = spawn(fun() -> receive after infinity -> ok end end), timer:sleep(100), {Info(P, flags), Info(new, flags)}.' \
	-n 'syscall::writev:entry, syscall::writev:return /pid == $target/ { }'
head -1 out | sed 's/ *$//'
echo "after: $(clean_node)"
