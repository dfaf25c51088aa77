# erltrace's modules are loaded again while a script runs: once, so that the running code is old code, and twice, so
# that the running code is purged. The script continues or ends, the next one works, and only the modules are left.
# @@timeout: 120
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start -pa "$BUILD/otp/erltrace/ebin"
MODULES='[M || {M, File} <- code:all_loaded(), is_list(File), lists:prefix("erltrace_", atom_to_list(M))]'
for times in 1 2; do
	trace_start out -x counters=off -n 'erlang*:load:call/1:entry { @ = count(); }'
	node_eval 'length([load:call(I) || I <- lists:seq(1, 10)]).'
	node_eval "[begin [code:purge(M) || M <- Modules], [{module, M} = code:load_file(M) || M <- Modules] end
		|| Modules <- lists:duplicate($times, $MODULES)], loaded."
	if [ $times = 1 ]; then
		# the agent looks twice a second
		node_eval "$INFO"'Traced = fun() -> erltrace_tracer:is_loaded() andalso Info({load, call, 1}, traced) =/= {traced, false} end,
			(fun Wait(0) -> lost; Wait(N) -> case Traced() of true -> there; false -> timer:sleep(50), Wait(N - 1) end end)(1200).'
		node_eval 'length([load:call(I) || I <- lists:seq(1, 10)]).'
	fi
	trace_stop 2>err
	[ $times = 2 ] || cat err out.txt
	echo "after: $(clean_node release)"
	trace -q -n 'BEGIN { printf("next\n"); } tick-20ms { exit(0); }'
	echo "after the next: $(clean_node release)"
done
node_alive && echo alive
