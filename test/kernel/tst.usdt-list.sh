# Asserts what -l shows: the probes of each process and of the file, by provider, by pattern, and by usdt.
. "$srcdir/usdt.sh"
waiting 1
# (Others on this machine may run such a program, too.)
list() { $ERLTRACE -ln "$1" 2>/dev/null | awk -v p=$pid 'NR > 1 { sub(p "$", "PID", $2) } NR > 1 && $2 !~ /[0-9]$/ { print $2, $3, $4, $5 }' | uniq; }
list "shop$pid:::" 
list 'shop*:usdt:place*:'
list "usdt$pid:usdt::twice"
$ERLTRACE -ln 'usdt*:::' | awk -v p=shop$pid '/order-placed/ && ($2 == p || $2 == "shop") { print $2 }' | sort -u | wc -l
$ERLTRACE -ln "shop$pid:nosuch::" 2>&1 >/dev/null | sed "s/$pid/PID/"
go
