# Asserts that CAP_BPF and CAP_PERFMON are enough, and that an error names the missing one.
. "$srcdir/common.sh"
command -v setpriv >/dev/null || exit 67
chmod 755 . ; chmod a+rx workload
as="setpriv --reuid=65534 --regid=65534 --clear-groups"
$as --inh-caps=-all,+bpf,+perfmon --ambient-caps=-all,+bpf,+perfmon $K -n 'BEGIN { printf("%d\n", uid); exit(0); }' | awk 'NF'
$as --inh-caps=-all $K -n 'BEGIN { exit(0); }' 2>&1 | grep -o 'lacks [^:]*'
$as --inh-caps=-all,+bpf --ambient-caps=-all,+bpf $K -n 'BEGIN { exit(0); }' 2>&1 | grep -o 'lacks [^:]*'
$as --inh-caps=-all,+perfmon --ambient-caps=-all,+perfmon $K -n 'BEGIN { exit(0); }' 2>&1 | grep -o 'lacks [^:]*'
caps="--inh-caps=-all,+bpf,+perfmon --ambient-caps=-all,+bpf,+perfmon"
# Where the system reserves perf events to the superuser, that is said, and the rest works.
profile='profile-97 { @c = count(); }'
if ! $as $caps $K -n "$profile tick-10ms { exit(0); }" >/dev/null 2>err; then
	grep -q 'this kernel reserves perf events to CAP_SYS_ADMIN (kernel.perf_event_paranoid is' err || cat err
	profile=
fi
$as $caps $K -n "syscall::getppid:entry /pid == \$target/ { @ = count(); } sched:::off-cpu { @b = count(); } $profile" -c './workload calls 7' | awk 'NF && $1 == 7 { print "counted" }' | head -1
