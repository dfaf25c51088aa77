# Asserts that probes belong to a file in a process: a process that executes the same program again has them again.
. "$srcdir/user.sh"
$K -n 'pid$target:a.out:work:entry { @ = count(); } END { printa("%@d\n", @); }' -c './user exec 500' 2>/dev/null
