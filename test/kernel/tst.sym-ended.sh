# Asserts that frames of processes that ended before they are shown have names, in records and in aggregations.
. "$srcdir/user.sh"
[ -z "$TINY" ] || { echo "tiny tables remember only four processes that have ended" >&2; exit 67; }
name=quick$$ # others on this machine may run this test, too
cp user $name
# The command's own process, gone when its stack is printed.
$K -n 'pid$target:a.out:nine:entry { ustack(1); }' -c "./$name calls 1" 2>/dev/null | sed -n "s/^ *$name/quick/p" | grep .
# Processes that nobody has announced, at least twenty of them.
$K -xaggrate=50ms -n 'syscall::write:entry /execname == $$1/ { @[ustack(1)] = count(); @f[usym(arg0)] = count(); n++; } tick-10ms /n >= 20/ { exit(0); } tick-30s { exit(1); }' $name >out 2>err &
k=$!
while kill -0 $k 2>/dev/null; do echo | ./$name wait 1 >/dev/null; done
wait $k
echo "ended with $?"
# from glibc 2.41 on system calls are made by a function that it does not export: then the library is known, and where the function begins
grep -c '`__*write+0x\|`write+0x\|`__GI___libc_write+0x\|^ *libc\.so\.6`function@[0-9a-f]*+0x' out | awk '{ print ($1 > 0) }'
grep -c '^ *0x7f' out
exit 0
