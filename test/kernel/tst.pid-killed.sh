# Asserts that killing the command removes its probes from the process, which continues. KILLS: how often; 5 by default.
# @@timeout: 60
. "$srcdir/user.sh"
${CC:-cc} -O1 -o objects "$srcdir/objects.c" || exit 1
mkfifo in
./user wait 100000 <in >ready &
pid=$!
exec 3>in
until grep -q ready ready; do sleep 0.05; done
for i in $(seq ${KILLS:-5}); do
	: >out
	$ERLTRACE -xswitchrate=10ms -qn 'BEGIN { printf("on\n"); } pid$target:a.out::entry, pid$target:a.out::return, pid$target:libc*:m*:entry { @[probefunc] = count(); }' -p $pid >out 2>&1 &
	k=$!
	until grep -q on out; do sleep 0.02; done
	./objects of $k >list.$k
	kill -9 $k
	wait $k 2>/dev/null
done
echo >&3
wait $pid
echo "ended with $?"
cat list.* | sort -u >all
grep -q link all && echo linked
./objects gone all
