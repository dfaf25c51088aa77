# Threads that a NIF makes come and go and send messages to traced processes, while the node forks many programs and
# scripts come and go. All messages and programs are counted exactly, the VM survives, and nothing is left.
# @@timeout: 240
. "$srcdir/lib.sh"
erlc -o . "$srcdir/storm.erl" || exit 1
${CC:-gcc} -std=c11 -D_GNU_SOURCE -O1 -fPIC -shared -I"$("${ERL:-erl}" -noinput -eval 'io:format("~ts/usr/include", [code:root_dir()]), halt().')" -o storm.so "$srcdir/storm.c" || exit 1
node_start +SDio 64 -pa "$PWD"
node_eval "storm:load(\"$PWD/storm\")."
tasks=$(ls "/proc/$NODE_PID/task" | wc -l)
files=$(ls "/proc/$NODE_PID/fd" | wc -l)
trace_start out -x maxoverhead=1000 -n '
	erlang*:::message-queued /strstr(copyinstr(arg6), "some words of a thread") != NULL/ { @["messages"] = count(); }
	erlang*:::port-open /strstr(copyinstr(arg1), "/bin/true") != NULL/ { @["programs"] = count(); }
	erlang*:::process-scheduled, erlang*:::gc_minor-end, erlang*:::process-exit, erlang*:::message-send { @["others"] = count(); }'
(
	i=0
	while [ ! -e ended ]; do
		trace -q -x maxoverhead=1000 -n 'erlang*:storm:program/0:return, erlang*:::message-send { @[eproc] = count(); } tick-50ms { exit(0); }' >/dev/null 2>beside.err ||
			{ echo "a script beside it failed: $(cat beside.err)"; break; }
		i=$((i + 1))
	done
	[ $i -gt 0 ] || echo 'no script ran beside it'
) &
beside=$!
node_eval 'Self = self(), spawn(fun() -> Self ! {programs, storm:programs(8, 50)} end),
	Sent = storm:messages(10, 64, 20), receive {programs, N} -> {Sent, N} end.'
: >ended
wait $beside
trace_stop
sed 's/^others [1-9][0-9]*$/others some/' out.txt | sort
echo "after: $(clean_node)"
node_eval 'storm:programs(1, 1).'
[ "$(ls "/proc/$NODE_PID/task" | wc -l)" -le "$tasks" ] || ls "/proc/$NODE_PID/task" | wc -l
[ "$(ls "/proc/$NODE_PID/fd" | wc -l)" -le "$((files + 2))" ] || ls -l "/proc/$NODE_PID/fd"
grep -i -e error -e crash "$NODE.log"
node_alive && echo alive
