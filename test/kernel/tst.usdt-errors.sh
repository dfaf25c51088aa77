# Asserts what is said of an argument that cannot be read, which the others of the probe can, and of files without probes.
. "$srcdir/usdt.sh"
$K -n 'shop$target:::price { trace(arg0); }' -c './usdt 1' 2>&1
$K -n 'shop$target:::price { trace(arg1); }' -c './usdt 1' 2>&1
$K -n "shop*:'/bin/true'::x {}" 2>&1 | sed -n '1s/.*{}: //p'
$K -n "shop*:'/no/such'::x {}" 2>&1 | sed -n '1s/.*{}: //p'
