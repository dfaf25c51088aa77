# The node survives random terms, random scripts and damaged D objects, some seconds each. RANDOM_SECONDS makes the test
# longer, SEED repeats one.
# @@timeout: 240
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" "$srcdir/chaos.erl" || exit 1
node_start -pa "$BUILD/otp/erltrace/ebin" +t 4000000
SECS=${RANDOM_SECONDS:-6}
SEED=${SEED:-1}

# A script of so many clauses, or of one to four.
script() {
	awk -v seed="$1" -v clauses="${2:-0}" '
	function pick(list,   parts, n) { n = split(list, parts, "|"); return parts[int(rand() * n) + 1] }
	BEGIN {
		srand(seed)
		probes = "erlang*:::message-send|erlang*:::message-queued|erlang*:::process-exit|erlang*:::process-spawn|" \
			"erlang*:::process-scheduled|erlang*:::gc_minor-end|erlang*:::process-heap_grow|erlang*:::trace|" \
			"erlang*:::process-exit_signal|erlang*:::bif-entry|erlang*:::function-return|erlang*:::port-command|" \
			"erlang*:chaos:any/1:entry|erlang*:chaos:any/1:return|erlang*:chaos:both/2:exception|erlang*:load:*:return|" \
			"erlang*:::code-load|erlang*:::system-long_gc|erlang*:::process-*|profile-499"
		preds = "|||/arg1 > 3/|/self->x/|/timestamp % 7 == 0/|/copyinstr(arg0) != \"x\"/|/vtimestamp > 100/"
		acts = "@[copyinstr(arg0)] = count()|@q[probefunc] = quantize(timestamp)|self->x = timestamp|self->s = copyinstr(arg1)|" \
			"g[copyinstr(arg0), arg1] = arg2|trace(copyinstr(arg1))|printf(\"%s %d\\n\", copyinstr(arg0), arg2)|@m = max(vtimestamp)|" \
			"trace(eproc)|@n[node] = count()|this->y = arg0 / arg1|stack()|ustack()|@u[ustack()] = count()|trace(*(int *)arg0)|" \
			"self->x = 0|speculate(speculation())|trace(strjoin(copyinstr(arg1), copyinstr(arg0)))|@l = lquantize(arg1, 0, 100, 5)|" \
			"trace(substr(copyinstr(arg1), 2, 5))|tracemem(arg0, 16)"
		for (n = clauses ? clauses : int(rand() * 4) + 1; n > 0; n--) {
			body = ""
			for (k = int(rand() * 3) + 1; k > 0; k--)
				body = body pick(acts) "; "
			print pick(probes) " " pick(preds) " { " body "}"
		}
	}'
}

node_eval 'load:start(2), chaos:terms(2).'
end=$(($(date +%s) + SECS))
ran=0
while [ "$(date +%s)" -lt $end ] || { [ $ran -eq 0 ] && [ "$(date +%s)" -lt $((end + 60)) ]; }; do
	SEED=$((SEED + 1))
	script $SEED >script.d
	timeout 200 "$ERLTRACE" -N "$NODE" --cookie "$COOKIE" -q -x maxoverhead=1000 -x bufsize=256k -x aggsize=256k -x dynvarsize=256k \
		-s script.d -n 'tick-300ms { exit(0); }' >out 2>err
	status=$?
	case $status in
	0) ran=$((ran + 1)) ;;
	1) grep -q -e 'failed to compile' -e 'invalid' -e 'could not enable' -e 'aborted' -e 'did not answer' err || { cat script.d err; echo "status $status"; } ;;
	*) cat script.d err; echo "status $status" ;;
	esac
	kill -0 $NODE_PID 2>/dev/null || { echo "the node died, seed $SEED:"; cat script.d; break; }
done
[ $ran -gt 0 ] && echo 'scripts ran'

# chaos:objects binds four clauses
for i in 1 2 3 4; do
	SEED=$((SEED + 1))
	until script $SEED 4 >script.d && trace --compile-only -o object$i -s script.d >/dev/null 2>&1 && [ -s object$i ]; do SEED=$((SEED + 1)); done
done
node_eval "case chaos:objects(\"$BUILD/otp/erltrace/priv/erltrace_tracer\", [\"object1\", \"object2\", \"object3\", \"object4\"], $SECS, $SEED) of
	{tried, T, ran, R} when T > 0, R > 0 -> io:format(\"~p~n\", [{T, R}]), objects_ran end."
node_alive && echo alive
