# Asserts that files of any shape, mapped as code by a user without rights, cost little when all processes are searched:
# -l and a provider that does not exist stay below 2 s of CPU time and 300 MB, say what was left out and why, and still
# find the probes of others.
# @@timeout: 400
[ -z "$SLOW" ] || { echo 'an emulated machine takes more time' >&2; exit 67; }
[ "$(id -u)" = 0 ] || { echo 'needs root, who looks at the processes of others' >&2; exit 67; }
[ -z "$SAN" ] || { echo 'sanitizers take more time and memory' >&2; exit 67; }
. "$srcdir/usdt.sh"
hostile=$BUILD/test/hostile
# start FILE…: a process with these mapped: $pid, until `stop`
start() {
	rm -f hostile.in hostile.ready
	mkfifo hostile.in
	$hostile map "$@" <hostile.in >hostile.ready 4>&- &
	pid=$!
	exec 4>hostile.in
	until grep -qs ready hostile.ready; do
		kill -0 $pid || exit 1
		sleep 0.05
	done
}
stop() {
	exec 4>&-
	wait $pid
}
for shape in sections notes sparse symbols names headers; do
	$hostile $shape $shape.elf || exit 1
	start $shape.elf
	$hostile limits 2 300 $ERLTRACE -l >list 2>err || { echo "$shape: -l: $?"; cat err; }
	grep -q tick-1 list || echo "$shape: -l lists nothing"
	sed -n "s|$PWD/||; s/$pid/PID/gp" err
	$hostile limits 2 300 $ERLTRACE -ln 'nosuch:::x' >list 2>err
	[ $? = 1 ] && grep -q 'failed to match nosuch:::x' err || { echo "$shape: nosuch:::x:"; cat err; }
	stop
done
# A name that would be obeyed is shown.
$hostile escapes escapes.elf
start escapes.elf
LC_ALL=C.UTF-8 $BUILD/test/pty $ERLTRACE -ln "evil$pid:::" | sed -n "s/$pid/PID/p" | tr -s ' ' | cut -d ' ' -f 3- | cat -v
stop
# All of them at once take nothing from anybody else.
waiting 1
usdt=$pid
start sections.elf notes.elf sparse.elf symbols.elf names.elf headers.elf
$hostile limits 2 300 $ERLTRACE -l >list 2>err || { echo "all: $?"; cat err; }
grep -c "shop$usdt .*twice" list
# Who names the process gets all that is there.
for file in notes headers; do
	$hostile limits 10 800 $ERLTRACE -ln "hostile$pid:$file.elf::" 2>&1 | awk 'NR > 1' | wc -l
done
$hostile limits 10 800 $ERLTRACE -ln "pid$pid:headers.elf:symbol_3:entry" 2>&1 | awk 'NR > 1' | wc -l
stop
go
wait
