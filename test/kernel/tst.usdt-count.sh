# Asserts that every hit of a USDT probe is counted, with its arguments, under DTrace's names.
. "$srcdir/usdt.sh"
$K -n 'shop$target:::order-placed { @[probemod, probefunc, probename, copyinstr(arg1)] = count(); @sum = sum(arg0); @own = sum(probeprov == strjoin("shop", lltostr(pid))); }
END { printa("%s %s %s %s %@d\n", @); printa("%@d\n", @sum); printa("%@d\n", @own); }' -c './usdt 5000' 2>/dev/null
