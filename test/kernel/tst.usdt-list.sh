# Asserts what -l shows: the probes of each process and of the file, by provider, by pattern, and by usdt.
. "$srcdir/usdt.sh"
waiting 1
list() { $ERLTRACE -ln "$1" 2>/dev/null | awk -v p=$pid 'NR > 1 { sub(p "$", "PID", $2); print $2, $3, $4, $5 }'; }
list "shop$pid:::" 
list 'shop*:usdt:place*:'
list "usdt$pid:usdt::twice"
$ERLTRACE -ln 'usdt*:::' | grep -c order-placed
$ERLTRACE -ln "shop$pid:nosuch::" 2>&1 >/dev/null | sed "s/$pid/PID/"
go
