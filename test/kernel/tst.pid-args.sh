# Asserts that arguments come from registers and from the stack, that arg1 of return is the value, and that names are DTrace's.
. "$srcdir/user.sh"
$K -n 'pid$target:user:nine:entry { printf("%d %d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8); }
pid$target:user:nine:return { printf("%d %d %s %s %s %d\n", arg0, arg1, probemod, probefunc, probename, probeprov == strjoin("pid", lltostr($target))); }' -c './user calls 1' 2>/dev/null
