# Asserts that uregs[] has the segments, their bases, and what the last fault left.
[ "$(uname -m)" = x86_64 ] || { echo "segments and numbers of faults are of x86-64" >&2; exit 67; }
. "$srcdir/common.sh"
${CC:-cc} -O1 -pthread -o events "$srcdir/events.c" || exit 1
# Write faults of a process in memory that is there: 14 is the page fault; 7: there, a write, by the program.
$K -n 'proc:::fault /pid == $target/ { @[uregs[R_TRAPNO], uregs[R_ERR]] = count(); }' -c './events prot 4' 2>&1 | awk 'NF'
$K -n 'proc:::fault /pid == $target/ { @[uregs[R_TRAPNO]] = count(); }' -c './events divide 3' 2>&1 | awk 'NF'
# Programs of 64 bits have nothing in these; where thread-local memory begins points at itself.
$K -n 'syscall::write:entry /pid == $target/ { @[uregs[R_DS], uregs[R_ES], uregs[R_FS], uregs[R_GS], *(uintptr_t *)copyin(uregs[R_FSBASE], 8) == uregs[R_FSBASE], uregs[R_GSBASE]] = count(); }' -c './workload writes 5 10' 2>&1 | awk 'NF'
