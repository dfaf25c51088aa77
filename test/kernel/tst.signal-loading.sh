# Asserts that a signal ends the command soon also while it loads programs, however long that would take, and that
# nothing is left.
# @@timeout: 120
. "$srcdir/common.sh"
${CC:-cc} -O1 -o objects "$srcdir/objects.c" || exit 1
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "syscall::getppid:entry /pid == %d && strlen(execname) > %d/ { @[%d, execname, ustack()] = quantize(timestamp); }\n", i + 1, i % 7, i }' >many.d
handles() { # the process has a handler for SIGTERM: it is in its start
	caught=$(sed -n 's/^SigCgt:\t*//p' /proc/$1/status 2>/dev/null)
	[ -n "$caught" ] && [ $((0x$caught & 0x4000)) != 0 ]
}
for sig in TERM INT; do
	env --default-signal $K -s many.d >out 2>err &
	pid=$!
	until handles $pid; do
		kill -0 $pid 2>/dev/null || { echo "it has ended already:"; cat err; exit 1; }
		sleep 0.02
	done
	sleep 0.3
	./objects of $pid >list.$sig # maps come first
	[ -s list.$sig ] || echo "$sig: nothing was loaded"
	from=$(date +%s)
	kill -s $sig $pid
	wait $pid
	status=$?
	took=$(($(date +%s) - from))
	# by the signal, or because the kernel noticed it
	case $status in 1 | 130 | 143) ;; *) echo "$sig: status $status" ;; esac
	[ $took -le 5 ] && echo "$sig: soon" || echo "$sig: after $took s"
	./objects gone list.$sig
done
