# Scripts start and stop while processes move to and from dirty schedulers all the time. The VM survives, nothing is
# logged, and nothing is left. CYCLES=1000 makes the test longer.
# @@timeout: 300
. "$srcdir/lib.sh"
needs_crypto
erlc -o . "$srcdir/dirty.erl" || exit 1
node_start -pa "$BUILD/otp/erltrace/ebin"
trace --compile-only -o dirty.dobj -n 'erlang*:::process-scheduled, erlang*:::process-unscheduled, erlang*:::gc_major-end, erlang*:::message-send
	{ @[probename] = count(); }'
CYCLES=${CYCLES:-60}
node_eval 'dirty:start(12).'
node_eval "dirty:cycles(\"$BUILD/otp/erltrace/priv/erltrace_tracer\", \"dirty.dobj\", $CYCLES) =:= $CYCLES."
node_eval 'dirty:stop().'
node_alive && echo alive
cat "$NODE.log"
node_eval "$INFO"'Flags = fun() -> [P || P <- [new | processes()], {flags, [_ | _]} <- [Info(P, flags)]] end,
	Wait = fun Wait(0) -> Flags(); Wait(N) -> case Flags() of [] -> none; _ -> timer:sleep(100), Wait(N - 1) end end,
	{left, Wait(20)}.'
