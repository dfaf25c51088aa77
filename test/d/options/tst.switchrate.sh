# Asserts that output appears at switchrate while tracing goes on.

$ERLTRACE -q -xswitchrate=20ms -n 'BEGIN { printf("here\n"); }' -n 'tick-5s { exit(0); }' >out &
pid=$!
i=0; while [ $i -lt 60 ] && ! grep -q here out; do i=$((i + 1)); sleep 0.05; done
kill -0 $pid && grep here out
kill -TERM $pid; wait $pid
