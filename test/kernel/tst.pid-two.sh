# Asserts that two commands that trace the same function of one process both count every call, and that the process
# continues when they end.
. "$srcdir/user.sh"
mkfifo in
./user wait 3000 <in >ready &
pid=$!
exec 3>in
until grep -q ready ready; do sleep 0.05; done
for i in 1 2; do
	$K -n 'BEGIN { printf("on\n"); } pid$target:a.out:work:entry { @ = count(); } END { printa("%@d\n", @); }' -xswitchrate=20ms -p $pid >out$i 2>/dev/null &
	eval "k$i=$!"
done
for i in 1 2; do until grep -q on out$i; do sleep 0.05; done; done
echo >&3
wait $pid
echo "ended with $?"
wait $k1 $k2
cat out1 out2
