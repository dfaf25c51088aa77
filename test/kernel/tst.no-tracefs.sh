# Asserts that nothing needs tracefs, debugfs or /proc/kallsyms: if these are hidden, probes count the same.
. "$srcdir/common.sh"
# @@timeout: 60
unshare -m true 2>/dev/null || { echo "no mount namespaces" >&2; exit 67; }
mkdir nothing
cat >hidden.sh <<'END'
for d in /sys/kernel/tracing /sys/kernel/debug; do
	[ ! -d $d ] || mount --bind nothing $d || exit 1
done
mount --bind /dev/null /proc/kallsyms || exit 1
exec "$@"
END
unshare -m sh hidden.sh $K -n 'syscall::getppid:entry /pid == $target/ { @[probefunc] = count(); } sched:::off-cpu,io:::start,profile-97 { @b = count(); }
    END { printa("%s %@d\n", @); trunc(@); trunc(@b); }' -c './workload calls 321' 2>&1 | awk 'NF && !/never fired/'
unshare -m sh hidden.sh $K -n 'proc:::create /pid == $target/ { @ = count(); }' -c './workload forks 9' 2>&1 | awk 'NF && !/never fired/ { print $1 }'
unshare -m sh hidden.sh $K -n 'syscall::getppid:entry /pid == $target/ { stack(3); exit(0); }' -c './workload calls 1' 2>&1 | grep -c 'ffff[0-9a-f]\{12\}' | awk '{ print ($1 > 0) }'
