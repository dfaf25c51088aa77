# Asserts that lockstat fires once for each wait for a mutex and for a reader-writer lock, with how long it was and who
# held the lock; and that in a storm of waits every kind is counted as its tracepoints count it.
. "$srcdir/common.sh"
# @@timeout: 60
${CC:-cc} -O1 -pthread -o locks "$srcdir/locks.c" || exit 1
simple_folder locks
./locks mutex 1 || exit $?
for what in mutex file folder; do
	echo "$what:"
	# 20 ms is how long the last of them sleeps at least. (Of an emulated machine's processors one may spin as long while the other does not run.)
	$K -n 'lockstat::: /pid == $target && arg1 >= 20000000 && arg1 < 60000000000/ {
	    @[probename, arg0 != 0, arg2 == RW_READER ? "reader" : "", arg3, arg4] = count(); }' -c "./locks $what 7" 2>&1 | awk 'NF { $1 = $1; print }' | sort | sed "${SLOW:+/^rw-spin/d;/^spin-spin/d}"
done
echo storm:
cat >storm.d <<'D'
int started, stopped;
self uint64_t f[uint64_t];
lockstat::: /started && !stopped && progenyof($target)/ { @told[probename] = count(); }
rawtp:::contention_begin /started && progenyof($target)/ { self->f[arg0] = self->f[arg0] | arg1 | (arg1 & 1 ? 64 : 128); }
rawtp:::contention_end /self->f[arg0] && arg1 == 0 && !stopped/ {
	this->f = self->f[arg0];
	@made[this->f & 6 ? (this->f & 128 ? "rw-block" : "rw-spin") : this->f & 40 ? (this->f & 128 ? "adaptive-block" : "adaptive-spin") :
	    this->f & 1 ? "spin-spin" : "none"] = count();
}
rawtp:::contention_end { self->f[arg0] = 0; }
syscall::getppid:entry /pid == $target/ { started++; stopped = started > 1; }
END { printa("%s told %@d\n", @told); printa("%s made %@d\n", @made); }
D
# What waits inside a firing is left out and counted.
$K -s storm.d -c './locks storm 1000' 2>err >out
drops=$(awk '/ drops? / { n += $2 } END { print n + 0 }' err)
awk -v drops=$drops '$2 == "told" { told[$1] = $3 } $2 == "made" { made[$1] = $3; kinds++ }
    END { for (k in made) if (made[k] - told[k] > drops || told[k] - made[k] > drops) print k, "made", made[k], "told", told[k], "drops", drops; print "some:", (kinds > 0) }' out
grep -v ' drops\? ' err
for absent in adaptive-acquire rw-upgrade thread-spin; do
	$K -n "lockstat:::$absent" 2>&1 | sed -n '1s/.*description: //p'
done
