# Asserts that proc reports signals that are ignored and that are waited for, and faults by their numbers.
. "$srcdir/common.sh"
${CC:-cc} -O1 -pthread -o events "$srcdir/events.c" || exit 1
between() {
	$K -n "int on; syscall::getppid:entry /pid == \$target/ { on = !on; } $1" -c "$2" 2>&1 | awk 'NF { $1 = $1; print }' | sort
}
sent='proc:::signal-send,proc:::signal-discard /on && args[1]->pr_pid == $target/ { @[probename, args[2] == SIGUSR1, args[0]->pr_lwpid == tid] = count(); }'
between "$sent" './events discard 7'
between "$sent"' proc:::signal-clear /on && pid == $target/ { @[probename, args[0] == SIGUSR1, 1] = count(); }' './events clear 6'
fault='proc:::fault /on && pid == $target/ { @[probename, args[0] == FLTIZDIV ? "FLTIZDIV" : args[0] == FLTACCESS ? "FLTACCESS" : "?", args[1]->si_signo] = count(); }
    proc:::signal-handle /on && pid == $target/ { @h[probename, args[0]] = count(); }'
between "$fault" './events prot 4'
