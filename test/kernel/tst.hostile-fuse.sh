# Asserts that a process whose file is on a FUSE file system that does not answer blocks nobody: -l lists everything
# else within seconds and reports the file, and a command that names the process ends on a signal.
# @@timeout: 120
[ "$(id -u)" = 0 ] || { echo 'needs root, who may mount' >&2; exit 67; }
[ -z "$SAN" ] || { echo 'at its end a sanitizer waits for the thread that the file system keeps' >&2; exit 67; }
[ -e /dev/fuse ] && grep -qw fuse /proc/filesystems || { echo 'no FUSE here' >&2; exit 67; }
hostile=$BUILD/test/hostile
mkdir m
mkfifo hostile.in
$hostile symbols some.elf || exit 1
head -c 100000 some.elf >small.elf
$hostile fuse small.elf m <hostile.in >hostile.ready 4>&- 2>hostile.err &
server=$!
exec 4>hostile.in
until grep -qs ready hostile.ready; do
	kill -0 $server 2>/dev/null || { sed 's/^/no FUSE here: /' hostile.err >&2; exit 67; }
	sleep 0.05
done
pid=$(head -n 1 hostile.ready)
# lasts COMMAND…: it ends by itself, or 99
lasts() {
	timeout -s KILL 40 "$@"
	rc=$?
	[ $rc != 137 ] || echo "still waiting: $*"
	return $rc
}
lasts $ERLTRACE -l >list 2>err || echo "-l: $?"
grep -q tick-1 list || echo '-l lists nothing'
sed -n "s|$PWD/||; s/$pid/PID/gp" err
lasts $ERLTRACE -ln 'nosuch:::x' >list 2>err
[ $? = 1 ] && grep -q 'failed to match nosuch:::x' err || { echo 'nosuch:::x:'; cat err; }
# Who names it waits longer, but not without end.
lasts $ERLTRACE -ln "hostile$pid:::" >list 2>err
sed -n "s|$PWD/||; s/$pid/PID/gp" err | grep 'left out'
# And not when it should end.
for what in "hostile$pid:::" "pid$pid:lib.elf::entry"; do
	$ERLTRACE -ln "$what" >list 2>err &
	command=$!
	# it waits when it has a thread that does
	until [ "$(ls /proc/$command/task 2>/dev/null | wc -l)" -gt 1 ] || ! kill -0 $command 2>/dev/null; do
		sleep 0.05
	done
	from=$(date +%s)
	kill -TERM $command
	wait $command
	[ $(($(date +%s) - from)) -le 4 ] || echo "$what: ended $(($(date +%s) - from)) s after SIGTERM"
done
exec 4>&-
wait $server
grep " $PWD/m " /proc/mounts
exit 0
