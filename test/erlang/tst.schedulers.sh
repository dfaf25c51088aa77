# scheduler-100ms tells how long run queues are and how busy schedulers are, and run_delay-100ms how long a process waits
# until it runs. On a node with one scheduler of each kind: 20 processes that only compute are 20 in its queue, and five of
# six processes that open a FIFO wait for the dirty scheduler for I/O. Behind 3,000 processes that compute, one waits for
# all their slices. scripts/run-queues.d shows it. Without a script nothing is measured, and nothing is left, also if
# schedulers were taken offline meanwhile.
# @@timeout: 240
. "$srcdir/lib.sh"
fail() {
	echo "$*" >&2
	exit 1
}
run() {
	got=$(node_eval "$1")
	[ "$got" = ok ] || fail "$1 gives $got"
}
wait_for() {
	n=0
	until grep -Eq "$1" "$2"; do
		n=$((n + 1))
		[ $n -lt 900 ] || fail "nothing like $1 in: $(grep -v '^tracing' "$2" | tail -30)"
		sleep 0.1
	done
}
node_start +S 1 +SDcpu 1 +SDio 1
spinners='[register(list_to_atom("spin" ++ integer_to_list(N)), spawn(fun() -> F = fun F() -> F() end, F() end)) || N <- lists:seq(1, 20)], ok.'

# each sample is a line; printed only by the samples themselves, so nothing else of erltrace waits in the queue then
trace_start out -n 'erlang*:::scheduler-100ms { printf("%s %d queue %d busy %d\n", copyinstr(arg1), args[0], args[2], args[3]); }
	erlang*:::run_delay-100ms { printf("scheduler %d waited %d\n", args[0], args[1]); }'
wait_for '^normal 1 queue 0 busy [0-9]+$' out
wait_for '^dirty_io 0 queue 0 busy [0-9]+$' out
wait_for '^dirty_cpu 0 queue 0 busy 0$' out
wait_for '^scheduler 1 waited [0-9]+$' out
run "$spinners"
wait_for '^normal 1 queue 20 busy 1000$' out
run '[exit(whereis(list_to_atom("spin" ++ integer_to_list(N))), kill) || N <- lists:seq(1, 20)], ok.'

mkfifo fifo
run '[spawn(fun() -> prim_file:open("'"$PWD"'/fifo", [read]) end) || _ <- lists:seq(1, 6)], ok.'
wait_for '^dirty_io 0 queue 5 busy 1000$' out
# each opening ends with one of these
exec 4<>fifo
n=0
until [ "$(grep '^dirty_io' out | tail -n 1 | cut -d' ' -f1-4)" = 'dirty_io 0 queue 0' ]; do
	n=$((n + 1))
	[ $n -lt 900 ] || fail "they still wait: $(tail out)"
	sleep 0.1
done
exec 4>&-

# a slice is 4,000 reductions: 3 us and more
run 'T = erlang:monotonic_time(millisecond) + 3000, [spawn(fun() -> F = fun F() -> erlang:monotonic_time(millisecond) < T andalso F() end, F() end) || _ <- lists:seq(1, 3000)], ok.'
wait_for '^scheduler 1 waited [0-9]{8,}$' out
trace_stop
[ "$(node_eval 'erlang:statistics(scheduler_wall_time).')" = undefined ] || fail 'the VM still measures how busy its schedulers are'

run "$spinners"
trace_start script -s "$srcdir/../../scripts/run-queues.d"
wait_for '^ +normal +1 +2[0-9] +2[0-9] +(100|9[0-9])$' script
wait_for '^ +normal +1 +[0-9]+ +[0-9]+$' script
trace_stop
grep -Eq '^Waited until it ran, us' script.txt || fail "no distribution: $(cat script.txt)"

# schedulers that go offline
node_start +S 2
trace_start two -n 'erlang*:::run_delay-100ms { @ = count(); } erlang*:::scheduler-100ms { printf("sampled %d\n", args[0]); }'
wait_for '^sampled 2$' two
run 'erlang:system_flag(schedulers_online, 1), ok.'
trace_stop
[ "$(clean_node)" = clean ] || fail "not clean with a scheduler offline: $(clean_node)"

# nothing is left of a command that is killed
trace_start killed -n 'erlang*:::scheduler-1s, erlang*:::run_delay-10s, erlang*:::scheduler-10s, erlang*:::run_delay-1s { @[probename] = count(); }'
kill -9 $TRACE_PID
wait $TRACE_PID 2>/dev/null
[ "$(clean_node)" = clean ] || fail "not clean: $(clean_node)"
[ "$(node_eval 'erlang:statistics(scheduler_wall_time).')" = undefined ] || fail 'the VM still measures after a kill'
[ "$(node_eval '[P || P <- processes(), {_, {M, _, _}} <- [process_info(P, current_function)], M =:= erltrace_agent].')" = '[]' ] || fail 'processes are left'
exit 0
