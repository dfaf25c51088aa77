# Asserts that CAP_BPF and CAP_PERFMON are enough, and that what is missing is said.
. "$srcdir/common.sh"
command -v setpriv >/dev/null || exit 67
chmod 755 . ; chmod a+rx workload
as="setpriv --reuid=65534 --regid=65534 --clear-groups"
$as --inh-caps=-all,+bpf,+perfmon --ambient-caps=-all,+bpf,+perfmon $K -n 'BEGIN { printf("%d\n", uid); exit(0); }' | awk 'NF'
$as --inh-caps=-all $K -n 'BEGIN { exit(0); }' 2>&1 | grep -o 'lacks [^:]*'
$as --inh-caps=-all,+bpf --ambient-caps=-all,+bpf $K -n 'BEGIN { exit(0); }' 2>&1 | grep -o 'lacks [^:]*'
$as --inh-caps=-all,+perfmon --ambient-caps=-all,+perfmon $K -n 'BEGIN { exit(0); }' 2>&1 | grep -o 'lacks [^:]*'
caps="--inh-caps=-all,+bpf,+perfmon --ambient-caps=-all,+bpf,+perfmon"
$as $caps $K -n 'syscall::getppid:entry /pid == $target/ { @ = count(); } sched:::off-cpu { @b = count(); } profile-97 { @c = count(); }' -c './workload calls 7' | awk 'NF && $1 == 7 { print "counted" }' | head -1
