# Asserts that symbols of the kernel can be used by name if the kernel tells their addresses, and that the command says
# why if it does not.
. "$srcdir/common.sh"
value() { $K -n "BEGIN { printf(\"%x\", $1); exit(0); }" 2>&1 | sed -n 1p; }
at=$(awk '$2 ~ /[tT]/ && $3 == "vfs_read" && !$4 { sub(/^0*/, "", $1); print $1 }' /proc/kallsyms)
[ "$(value '(uintptr_t)&`vfs_read')" = "$at" ] && [ "$(value '(uintptr_t)vmlinux`vfs_read')" = "$at" ] && echo function
# What the kernel's own BTF begins with.
if grep -q ' __start_BTF$' /proc/kallsyms; then
	value '*(uint16_t *)&`__start_BTF'
	value '`__start_BTF' | grep -o 'nothing is known of the type of `__start_BTF'
else # on arm64 it is a variable
	value '*(uint16_t *)&`__start_BTF' | sed -n 's/.*built without CONFIG_KALLSYMS_ALL.*/eb9f/p'
	echo 'nothing is known of the type of `__start_BTF'
fi
$K -n 'inline uintptr_t f = (uintptr_t)&`vfs_read; BEGIN { sym(f); exit(0); }' | awk 'NF { print $1 }'
if grep -q ' jiffies$' /proc/kallsyms; then
	$K -n 'BEGIN { a = `jiffies; } tick-500ms { printf("%d %d", `jiffies - a >= 10 && `jiffies - a < 100000, `max_pfn > 1000); exit(0); }' | awk 'NF'
	value '`runqueues.nr_running' | grep -c 'every CPU has its own'
	value '`nosuchsymbol' | grep -c 'the kernel has no such symbol'
else
	value '`jiffies' | grep -c 'built without CONFIG_KALLSYMS_ALL' | sed 's/1/1 1/'
	echo 1
	value '`nosuchsymbol' | grep -c 'built without CONFIG_KALLSYMS_ALL'
fi
# Who may not see them is told what to do.
setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all $ERLTRACE -n 'BEGIN { trace(`jiffies); }' 2>&1 | grep -c 'hides the addresses\|Permission denied'
# The kernel's memory is not written to.
$K -n 'BEGIN { *(int *)&`__start_BTF = 1; }' 2>&1 | grep -c 'invalid probe specifier'
