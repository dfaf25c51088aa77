# Asserts the messages about an argument that cannot be read, although the probe's other arguments can, and about files
# without probes.
. "$srcdir/usdt.sh"
$K -n 'shop$target:::price { trace(arg0); }' -c './usdt 1' 2>&1
$K -n 'shop$target:::price { trace(arg1); }' -c './usdt 1' 2>&1 | sed 's/4@1 8f@d0/4@$1 8f@%xmm0/' # on arm64
$K -n "shop*:'/bin/true'::x {}" 2>&1 | sed -n '1s/.*{}: //p'
$K -n "shop*:'/no/such'::x {}" 2>&1 | sed -n '1s/.*{}: //p'
