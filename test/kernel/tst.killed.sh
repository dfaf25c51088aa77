# Asserts that nothing is left in the kernel when the command is killed, while it traces or while it starts, or ends in
# another way. KILLS: how often it is killed; 10 by default.
. "$srcdir/common.sh"
# @@timeout: 60
${CC:-cc} -O1 -o objects "$srcdir/objects.c" || exit 1
D='syscall:::entry { @[execname] = count(); self->t = timestamp; } sched:::off-cpu { @a = count(); } profile-97 { @b = count(); } tick-1ms { n++; }'
begin() { # the command at work, or not
	$K -n "$D" >out 2>&1 &
	pid=$!
	list=list.$pid
	: >"$list"
	while [ "$1" = working ] && kill -0 $pid 2>/dev/null && ! grep -q link "$list"; do
		sleep 0.05
		./objects of $pid >"$list"
	done
	[ "$1" != working ] || grep -q link "$list" || {
		echo 'nothing was attached:'
		cat out
		kill -9 $pid
		exit 1
	}
}
# After each way of ending: what it had is remembered, and looked for at the end of all.
n=0
while [ $n -lt "${KILLS:-10}" ]; do
	if [ $((n % 2)) = 0 ]; then
		begin working
	else
		begin starting
		sleep 0.0$((n % 10))
		./objects of $pid >"$list" 2>/dev/null
	fi
	kill -9 $pid
	wait $pid 2>/dev/null
	n=$((n + 1))
done
for signal in TERM HUP; do
	begin working
	kill -$signal $pid
	wait $pid
done
cat list.* | sort -u >all
grep -c link all | awk '{ print ($1 >= 7) }'
./objects gone all
