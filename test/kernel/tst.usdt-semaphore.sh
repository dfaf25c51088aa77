# Asserts that a probe's semaphore is incremented while it is traced and decremented afterwards.
. "$srcdir/usdt.sh"
$K -n 'shop$target:::watched { @ = sum(arg0); } END { printa("%@d\n", @); }' -c './usdt 1' 2>/dev/null
waiting 1
$K -n 'BEGIN { exit(0); } shop$target:::watched { @ = count(); }' -p $pid >/dev/null 2>&1
go
wait $pid
cat ready
