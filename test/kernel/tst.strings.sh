# Asserts that strings of the traced process are read, compared and used as keys.
. "$srcdir/common.sh"
$K -n 'syscall::openat:entry /pid == $target && copyinstr(arg1) == "/dev/null"/ { @[basename(copyinstr(arg1)), execname] = count(); }' -c './workload calls 1' 2>/dev/null | awk 'NF { print $1, $2, $3 }'
