# Asserts that nothing stays in the kernel when the command is killed.
. "$srcdir/common.sh"
# @@alone
cc -O1 -o programs "$srcdir/programs.c" || exit 1
before=$(./programs)
for i in 1 2 3 4 5 6 7 8 9 10; do
	$K -n 'BEGIN { printf("on\n"); } syscall:::entry { @[execname] = count(); } sched:::off-cpu { @a = count(); } profile-97 { @b = count(); }' >out 2>&1 &
	pid=$!
	sleep 0.2
	kill -9 $pid
	wait $pid 2>/dev/null
done
for i in 1 2 3 4 5 6 7 8 9 10; do
	after=$(./programs)
	[ "$after" -le "$before" ] && echo gone && exit 0
	sleep 0.2
done
echo "$before programs before, $after after"
