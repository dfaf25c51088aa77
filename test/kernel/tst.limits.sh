# Asserts that what the kernel does not accept is refused with a message about the script, and with the verifier's log
# on request.
. "$srcdir/common.sh"
{
	i=0
	while [ $i -lt 6000 ]; do
		[ $((i % 250)) = 0 ] && echo 'BEGIN {'
		echo 'x = strlen(strjoin(execname, lltostr(x)));'
		[ $((i % 250)) = 249 ] && echo '}'
		i=$((i + 1))
	done
} >many.d
(echo 'BEGIN { x = 0; }'; i=0; while [ $i -lt 6 ]; do cat many.d; i=$((i + 1)); done) >big.d
$K -s big.d 2>&1 | grep -o "the kernel refuses the clauses of dtrace:::BEGIN: they are more than the kernel's verifier takes at once"
{
	echo 'BEGIN { x = 0; } BEGIN {'
	grep strlen many.d
	echo 'exit(0); }'
} >long.d
$K -s long.d 2>&1 | grep -o 'line [0-9]*: the clause is too long for the kernel: make several clauses of it'
$K -xstrsize=128k -n 'BEGIN { exit(0); }' 2>&1 | grep -o 'strsize is 131072: in the kernel it can be 1 to [0-9]*'
$K -xstrsize=4k -n 'BEGIN { printf("%d\n", strlen(strjoin(execname, "x"))); exit(0); }' | awk 'NF'
# Writing to a process works where the kernel permits it (then this address is bad), and is refused with the reason elsewhere.
$K -wn 'BEGIN { copyout("x", 16, 1); } BEGIN { exit(0); }' >out 2>&1
grep -c "copyout() is refused by this kernel: writing to processes needs\|invalid address (0x10)" out || cat out >&2
if unshare -m true 2>/dev/null; then
	unshare -m sh -c "mount --bind /dev/null /sys/kernel/btf/vmlinux && exec $K -n 'BEGIN { exit(0); }'" 2>&1 | grep -o 'this kernel does not tell its types'
else
	echo 'this kernel does not tell its types'
fi
