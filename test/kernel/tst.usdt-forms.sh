# Asserts that arguments are read from registers of all widths, constants and memory with every form of address, with
# their signs.
. "$srcdir/usdt.sh"
$K -n 'shop$target:::forms { printf("%d %x %d %x %x %d %d %d %d %x\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9); }
shop$target:::twice { printf("twice %d\n", arg0); }' -c './usdt 1' 2>/dev/null
