# What the kernel's verifier looks at for an aggregation with keys stays far below its limit of a million instructions,
# whichever clang has built the runtime.
"$ERLTRACE" -q -n 'syscall::read:entry { @[execname, pid] = count(); } tick-20ms { printf("on\n"); }' >out 2>err &
pid=$!
wait=0
until grep -q on out || ! kill -0 $pid 2>/dev/null || [ $wait -gt 500 ]; do
	sleep 0.1
	wait=$((wait + 1))
done
most=$(sed -n 's/^verified_insns:[^0-9]*//p' /proc/$pid/fdinfo/* 2>/dev/null | sort -n | tail -n 1)
kill $pid
wait $pid
cat err
[ -n "$most" ] || { echo "this kernel does not tell what it verified" >&2; exit 67; }
[ "$most" -gt 1000 ] && [ "$most" -lt 200000 ] && echo 'far below' || echo "$most instructions"
