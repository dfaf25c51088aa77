# Asserts that the VM's probes are listed under DTrace's names with their types, that a VM without a name is traced
# through them by default, and that other spellings are understood.
# @@timeout: 60
. "$srcdir/common.sh"
vm main
$ERLTRACE -ln "erlang$pid:::" >all
for name in message-send message-send-remote message-queued message-receive copy-struct copy-object gc_major-start gc_minor-end \
	process-spawn process-exit process-exit_signal process-scheduled process-unscheduled process-hibernate process-heap_grow \
	dist-monitor dist-output dist-outputv dist-port_not_busy port-open port-command port-control port-not_busy driver-init \
	driver-finish driver-stop_select driver-ready_input driver-ready_output driver-ready_async driver-process_exit \
	nif-entry user_trace-i4s4 user_trace-n950; do
	awk -v p="erlang$pid" -v n=$name '$2 == p && $NF == n { found = 1 } END { exit !found }' all || echo "no $name"
done
$ERLTRACE -lvn "erlang$pid:::message-send" | sed -n '/Argument Types/,$p' | sed '/^$/d' | head -n 7
$K -xswitchrate=50ms -n 'erlang$target:::process-heap-grow { @g = count(); } erlang$target:::process-heap_grow { @h = count(); }
	BEGIN { printf("on\n"); } END { printa("%@d\n", @g); printa("%@d\n", @h); }' -p $pid >out 2>err &
tracer=$!
until grep -q on out || ! kill -0 $tracer; do sleep 0.05; done
touch go
wait $tracer
awk 'NR == 2 { g = $1 } NR == 3 { print (g > 0 && g == $1) }' out
