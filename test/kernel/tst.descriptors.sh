# Asserts that the limit of open files is raised as far as allowed, and that the error says so if it is still too low.
. "$srcdir/user.sh"
# The soft limit does not matter.
(ulimit -Sn 20; $K -n 'pid$target:user:work*:entry { @[probefunc] = count(); }' -c './user calls 3' >out 2>err) || cat err
grep -c . out | awk '{ print ($1 > 0) }'
# The hard one does.
echo 'syscall:::entry { @[probefunc] = count(); self->a = 1; self->b = 1; }' >many.d
sh -c "ulimit -n 8; exec $K -s many.d" >out 2>&1 && echo "it ran"
grep -c 'Too many open files (ulimit -n)' out
# Functions are one link, or two descriptors each: then it is said how many are needed.
(ulimit -n 200; $K -n 'pid$target:libc*:mem*:entry,pid$target:libc*:str*:entry,pid$target:libc*:w*:entry { @ = count(); }' -c './user calls 3' >out 2>&1) ||
	grep -q 'places match, which take 2 file descriptors each on this kernel, and the limit is 200: raise it (ulimit -n)' out || cat out
