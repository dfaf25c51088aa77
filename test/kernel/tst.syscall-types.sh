# Asserts that args[] of system calls have types, from the kernel's BTF or erltrace's table, that -lv shows them and
# their source, and that D knows every one of the types.
. "$srcdir/common.sh"
$K -n 'syscall::write:entry /pid == $target && args[2] == 777/ { @ = sum(args[2]); @f = min(args[0] == arg0 && args[0] < 1000); }' -c './workload writes 400 777' 2>/dev/null | awk 'NF'
$K -n 'syscall::write:return /pid == $target && args[0] == 777/ { @ = sum(args[1]); }' -c './workload writes 400 777' 2>/dev/null | awk 'NF'
$ERLTRACE -lvn 'syscall::write:entry' | grep 'args\['
$ERLTRACE -lvn 'syscall::write:return' | grep 'args\['
$ERLTRACE -lvn 'syscall:::entry' >all
# The one or the other, for every call that has arguments.
awk '/syscall/ { n = $4; has = 0 } /args\[/ && !has { has = 1; want++ } /\(from the kernel.s BTF, function __do_sys_|\(from erltrace.s table of system calls: the kernel.s BTF has no function __do_sys_/ { have++ } END { print (want == have), (want >= 250) }' all
awk '/syscall/ { n = $4 } match($0, /args\[[0-9]\]/) { print "syscall::" n ":entry { trace(" substr($0, RSTART, RLENGTH) "); }" }' all >all.d
awk 'END { print (NR >= 800) }' all.d
$ERLTRACE --compile-only -o all.dobj -s all.d && echo compiled
$K -n 'syscall:::entry { trace(args[0]); }' 2>&1 | grep -o 'do not all have the same arguments'
