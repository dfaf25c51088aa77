# Asserts that records are complete and in order of time.
. "$srcdir/common.sh"
$K -xbufsize=8m -n 'syscall::getppid:entry /pid == $target/ { printf("%d %s\n", n++, probefunc); }' -c './workload calls 2000' 2>/dev/null |
    awk 'NF { if ($1 != i || $2 != "getppid") bad = 1; i++ } END { print i, bad + 0 }'
