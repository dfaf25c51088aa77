# Asserts that proc reports a division by zero as a fault by its number, and its signal when it is handled.
[ "$(uname -m)" = x86_64 ] || { echo "on this processor a division by zero is no fault" >&2; exit 67; }
. "$srcdir/common.sh"
${CC:-cc} -O1 -pthread -o events "$srcdir/events.c" || exit 1
$K -n 'int on; syscall::getppid:entry /pid == $target/ { on = !on; }
	proc:::fault /on && pid == $target/ { @[probename, args[0] == FLTIZDIV, args[1]->si_signo] = count(); }
	proc:::signal-handle /on && pid == $target/ { @h[probename, args[0]] = count(); }' -c './events divide 5' 2>&1 | awk 'NF { $1 = $1; print }' | sort
