# Asserts that cwd, root, fds[], d_path() and fileinfo_t name files as /proc does.
. "$srcdir/common.sh"
mkdir -p sub/deep
cd sub/deep || exit 1
[ "$($K -n 'BEGIN { printf("%s\n", cwd); exit(0); }' | awk 'NF')" = "$PWD" ] && echo cwd
$K -n 'BEGIN { printf("%s %s\n", root, stringof(d_path(&curthread->fs->pwd)) == cwd ? "same" : cwd); exit(0); }' | awk 'NF'
echo 0123456789 >file
$K -n 'BEGIN { printf("%s %d %d %d\n", fds[0].fi_name, fds[0].fi_dirname == cwd, fds[0].fi_pathname == strjoin(cwd, "/file"), fds[0].fi_oflags & O_ACCMODE); exit(0); }' <file | awk 'NF'
$K -n 'BEGIN { printf("%s\n", fds[0].fi_pathname); exit(0); }' </dev/null | awk 'NF'
sleep 0.1 | $K -n 'BEGIN { printf("%s\n", fds[0].fi_pathname); exit(0); }' | sed -n 's/\[[0-9]*\]/[N]/p'
$K -n 'BEGIN { printf("[%s] [%s]\n", fds[999].fi_pathname, fds[999].fi_fs); exit(0); }' | awk 'NF'
$K -n 'BEGIN { printf("%d\n", fds[70000].fi_offset); } BEGIN { exit(0); }' 2>&1 | grep -c 'index out of bounds'
$K -n 'BEGIN { this->e = curthread->mm->exe_file; printf("%s %d\n", xlate <fileinfo_t *>(this->e)->fi_name, xlate <fileinfo_t *>(this->e)->fi_dirname == dirname(d_path(&this->e->f_path))); exit(0); }' | awk 'NF'
$K -n 'BEGIN { trace(d_path((void *)16)); } BEGIN { exit(0); }' 2>&1 | grep -c 'invalid address'
$K -n 'BEGIN { this->p = fds[0].fi_pathname; self->f = fds[0].fi_fs; printf("%s %d\n", this->p, self->f == fds[0].fi_fs); exit(0); }' | awk 'NF'
