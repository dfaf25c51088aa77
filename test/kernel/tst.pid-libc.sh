# Asserts that functions of shared libraries are found, also by a pattern of the module: each size is allocated once.
. "$srcdir/user.sh"
$K -n 'pid$target:libc*:malloc:entry /arg0 % 7 == 0 && arg0 <= 700/ { @ = count(); @s = sum(arg0); } END { printa("%@d ", @); printa("%@d\n", @s); }' -c './user mallocs 100' 2>/dev/null
# and by its name without the version
$K -n 'pid$target:libc:malloc:entry /arg0 % 7 == 0 && arg0 <= 700/ { @[probemod] = count(); }' -c './user mallocs 100' 2>/dev/null
