# Asserts that kernel frames have names, and that frames of the tracing program itself are left out: a system call comes
# through one function.
. "$srcdir/common.sh"
case $(uname -m) in
aarch64) through=el0_svc ;;
*) through=do_syscall_64 ;;
esac
grep -q "^0*[1-9a-f].* $through\$" /proc/kallsyms || { echo 'the kernel hides its symbols' >&2; exit 67; }
$K -n 'syscall::write:entry /pid == $target/ { @[stack()] = count(); }' -c './workload writes 10 5' >out 2>/dev/null
grep -c "vmlinux\`$through+0x" out
grep -c 'bpf' out
exit 0
