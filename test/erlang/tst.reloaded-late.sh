# A traced module is loaded again, and before the hub knows it, erltrace's own module that has the library. The script goes
# on, and misses nothing of what the new code does from when it is traced again.
# @@timeout: 60
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start -pa "$BUILD/otp/erltrace/ebin"
trace_start out -x counters=off -n 'erlang*:load:call/1:entry { @ = count(); }'
node_eval 'length([load:call(I) || I <- lists:seq(1, 10)]).'
node_eval "$INFO"'Hub = whereis(erltrace_hub),
	erlang:suspend_process(Hub),
	[begin code:purge(M), {module, M} = code:load_file(M) end || M <- [load, erltrace_tracer]],
	erlang:resume_process(Hub),
	(fun Wait(0) -> lost; Wait(N) -> case Info({load, call, 1}, traced) of {traced, false} -> timer:sleep(10), Wait(N - 1); _ -> there end end)(6000).'
node_eval 'length([load:call(I) || I <- lists:seq(1, 10)]).'
trace_stop
cat out.txt
clean_node release
