# What the tests of the kernel's probes share: a workload in ./workload, and $K, the command on the kernel engine.
# Where that does not run (no permission to load BPF programs, a kernel without BTF) they are skipped.
K="$ERLTRACE -q -xengine=kernel"
$K -n 'BEGIN { exit(0); }' >/dev/null || exit 67
${CC:-cc} -O1 -pthread -o workload "$srcdir/workload.c" || exit 1
