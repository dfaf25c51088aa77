# Asserts that a pattern sees a process that runs already and one that starts later, and each event once; and that a
# file that nobody runs yet can be named.
# @@timeout: 60
. "$srcdir/usdt.sh"
waiting 7
# The probe `watched` is traced too: its semaphore tells a new process whether tracing is on.
$K -xswitchrate=20ms -n 'shop*:::order-placed { @[pid == $1 ? "old" : "new", probeprov == "shop" ? "any" : "own"] = count(); } shop*:::watched { @w = count(); }
END { printa("%s %s %@d\n", @); }' -p $pid $pid >out 2>err &
k=$!
until ./usdt 5 | grep -q 'on 3' || ! kill -0 $k 2>/dev/null; do sleep 0.05; done
go
wait $k
sed -n 's/^\(new any\) .*/\1/p; s/^old.*/&/p' out | sort
# A file that nobody runs.
cp usdt other
$K -xswitchrate=20ms -n "shop*:'$PWD/other'::order-placed { @ = count(); n++; } shop*:'$PWD/other'::price /n >= 11/ { exit(0); } END { printa(\"%@d\n\", @); }" >out2 2>err2 &
k=$!
while kill -0 $k 2>/dev/null; do ./other 11 >/dev/null; sleep 0.05; done
wait $k
awk 'NR == 1 { print ($1 >= 11) }' out2
