# Asserts that CAP_BPF and CAP_PERFMON are enough, and that what is missing is said.
. "$srcdir/common.sh"
command -v setpriv >/dev/null || exit 67
chmod 755 . ; chmod a+rx workload
as="setpriv --reuid=65534 --regid=65534 --clear-groups"
$as --inh-caps=-all,+bpf,+perfmon --ambient-caps=-all,+bpf,+perfmon $K -n 'BEGIN { printf("%d\n", uid); exit(0); }' | awk 'NF'
$as --inh-caps=-all $K -n 'BEGIN { exit(0); }' 2>&1 | grep -c 'CAP_BPF and CAP_PERFMON'
