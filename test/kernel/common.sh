# What the tests of the kernel's probes share: a workload in ./workload, and $K, the command on the kernel engine.
# Where that does not run (no permission to load BPF programs, a kernel without BTF) they are skipped.
K="$ERLTRACE -q -xengine=kernel"
$K -n 'BEGIN { exit(0); }' >/dev/null || exit 67
${CC:-cc} -O1 -pthread -o workload "$srcdir/workload.c" || exit 1
# Other copies of a test may run on this machine at the same time, in chroots. An address of this one's own:
ADDRESS=127.$((64 + ($$ >> 16 & 63))).$(($$ >> 8 & 255)).$(($$ & 255))
export ADDRESS
# one_at_a_time: for a test that looks at all disks; waits until no other copy does.
one_at_a_time() {
	exec 9</sys/kernel/btf/vmlinux && flock 9
}
# simple_folder PROGRAM: on an emulated machine goes with the program to another folder, because the layered file system
# there locks folders in its own way.
simple_folder() {
	[ -n "$SLOW" ] && [ -d /dev/shm ] || return 0
	simple=$(mktemp -d /dev/shm/erltrace-test.XXXXXX) || exit 1
	trap 'rm -rf "$simple"' EXIT
	cp "$1" "$simple" && cd "$simple" || exit 1
}
