# Asserts that the registers of uregs[] have the names of 32-bit processors too.
[ "$(uname -m)" = x86_64 ] || { echo "names of x86-64" >&2; exit 67; }
$ERLTRACE -qn 'BEGIN {
	printf("%d %d %d\n", R_EAX == R_RAX && R_EBX == R_RBX && R_ECX == R_RCX && R_EDX == R_RDX,
	    R_ESI == R_RSI && R_EDI == R_RDI && R_EBP == R_RBP && R_ESP == R_RSP, R_EIP == R_RIP && R_EFL == R_RFL);
	exit(0);
}'
