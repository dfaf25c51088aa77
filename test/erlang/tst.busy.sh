# While other work occupies all dirty schedulers, IO and CPU, tracing starts, is read and ends, and nothing is left
# after two seconds: when the command ends normally, when it is killed, and when the hub and the agent are killed with
# it.
# @@timeout: 240
. "$srcdir/lib.sh"
erlc -o . "$srcdir/block.erl" "$srcdir/load.erl" || exit 1
${CC:-gcc} -std=c11 -D_GNU_SOURCE -O1 -fPIC -shared -I"$("${ERL:-erl}" -noinput -eval 'io:format("~ts/usr/include", [code:root_dir()]), halt().')" -o block.so "$srcdir/block.c" || exit 1
node_start
SCRIPT='erlang*:load:call/1:entry { @[probefunc] = count(); } erlang*:::process-spawn, erlang*:::gc_major-end { @[probename] = count(); }
	tick-10ms { ticks++; } END { printf("ticks %d\n", ticks > 0); }'
# what the node needs for it is loaded before: files cannot be read then
warm=$(clean_node)
trace -q -n "$SCRIPT" -n 'tick-50ms { exit(0); }' >/dev/null
clean_node >/dev/null
for way in term kill all; do
	rm -f go
	node_eval "block:watch(\"$PWD/go\")."
	trace_start out -n "$SCRIPT"
	node_eval "block:all(\"$PWD/block\", \"$PWD/go\")."
	node_eval '[load:call(I) || I <- lists:seq(1, 10)].' >/dev/null
	case $way in
	term) trace_stop; echo "status $?"; grep -e call/1 -e ticks out.txt ;;
	kill) kill -9 $TRACE_PID ;;
	all)
		node_eval '[exit(P, kill) || P <- [whereis(erltrace_hub) | processes()],
			P =:= whereis(erltrace_hub) orelse process_info(P, initial_call) =:= {initial_call, {erltrace_agent, init, 4}}], killed.'
		kill -9 $TRACE_PID
		;;
	esac
	# two seconds, and more where the machine is busy
	i=0
	until [ -e go ] || [ $i -ge 300 ]; do
		i=$((i + 1))
		sleep 0.1
	done
	[ -e go ] && echo "$way: clean" || echo "$way: something is left"
	: >go
	node_eval '(fun Wait() -> case [P || P <- processes(), {current_function, {block, _, 1}} <- [process_info(P, current_function)]] of
		[] -> free; _ -> timer:sleep(20), Wait() end end)().'
	echo "then: $(clean_node)"
done
node_alive && echo alive
