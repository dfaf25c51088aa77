# Asserts that uregs[] on arm64 has the registers of a system call: its arguments, its number, and where it is.
[ "$(uname -m)" = aarch64 ] || { echo "registers of arm64" >&2; exit 67; }
. "$srcdir/common.sh"
# 64 is write(2); its arguments are also arg0 and arg2
$K -n 'syscall::write:entry /pid == $target/ { @[uregs[R_X8], uregs[R_X2], uregs[R_X0] == arg0, uregs[R_X2] == arg2, uregs[R_PC] & 3,
	uregs[R_SP] & 15, uregs[R_FP] >= uregs[R_SP]] = count(); }' -c './workload writes 5 10' 2>&1 | awk 'NF { $1 = $1; print }'
