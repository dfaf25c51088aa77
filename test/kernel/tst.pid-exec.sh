# Asserts that probes are of a file in a process: a process that becomes the same program again has them again.
. "$srcdir/user.sh"
$K -n 'pid$target:a.out:work:entry { @ = count(); } END { printa("%@d\n", @); }' -c './user exec 500' 2>/dev/null
