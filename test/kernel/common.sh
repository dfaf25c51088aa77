# What the tests of the kernel's probes share: a workload in ./workload, and $K, the command on the kernel engine.
# Without permission to load BPF programs they are skipped.
[ "$(id -u)" = 0 ] || exit 67
cc -O1 -pthread -o workload "$srcdir/workload.c" || exit 1
K="$ERLTRACE -q -xengine=kernel"
