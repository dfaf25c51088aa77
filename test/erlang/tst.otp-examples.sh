# OTP's own eleven example scripts run. A probe that cannot fire here is named on standard error with the reason, one
# line each. A script is refused only if none of its probes besides BEGIN, END and ticks can fire. A pattern means the
# probes that exist.
# @@timeout: 240
. "$srcdir/lib.sh"
examples=$(ls -d "$("${ERL:-erl}" -noshell -eval 'io:format("~ts", [code:lib_dir(runtime_tools)]), halt().')/examples" 2>/dev/null)
[ -d "$examples" ] || { echo "this OTP came without the examples of runtime_tools" >&2; exit 67; }
node_start
echo "$(ls "$examples"/*.d | wc -l) scripts"
reasons() {
	sed -n 's/^erltrace: erlang[0-9]*:::\([a-z_-]*\) \(needs the kernel engine\|never fires\).*/    \1 \2/p' "$1" | LC_ALL=C sort
}
for script in "$examples"/*.d; do
	name=$(basename "$script" .d)
	trace_start "$name" -x maxoverhead=100 -s "$script"
	grep -q '^tracing' "$name" || { echo "$name did not start:" >&2; cat "$name.err" >&2; }
	node_eval 'Work = fun Work(0, L) -> length(L); Work(N, L) -> Work(N - 1, [{N, N} | L]) end,
	    {P, R} = spawn_monitor(fun() -> Work(3000, []), receive go -> ok end end), P ! go,
	    Port = open_port({spawn_executable, "/bin/true"}, [exit_status]), receive {Port, {exit_status, _}} -> ok end,
	    dyntrace:p(1, "text"), catch dyntrace:user_trace_s1("text"), dyntrace:pn(1, 2),
	    receive {_, R, _, _, _} -> ok end.' >/dev/null
	trace_stop 2>/dev/null || echo "$name ended with $?"
	fired=no
	[ -s "$name.txt" ] && fired=yes
	echo "$name: fired $fired"
	reasons "$name.err"
	# every function of the node is more than the buffers hold
	grep -v -e 'drops on CPU' -e 'never fired: ' -e 'matches every function' "$name.err" >rest
	[ "$(reasons "$name.err" | wc -l)" = "$(wc -l <rest)" ] || cat rest
done
node_alive || exit 1

for script in 'erlang*:::copy-struct { trace(arg0); }' 'BEGIN { } erlang*:::driver-event, erlang*:::efile_drv-entry { } tick-10s { exit(0); }'; do
	trace -q -n "$script" 2>err
	echo "status $?"
	sed -e 's/erlang[0-9]*/erlang*/' -e 's/:[^:]*USDT.*//' err
done
trace -q -n 'erlang*:::copy-*, erlang*:::process-exit { } tick-10ms { exit(0); }' 2>err
echo "glob: status $?"
grep -v 'never fired: ' err || true
