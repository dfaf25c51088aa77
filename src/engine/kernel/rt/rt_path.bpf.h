/*
 * Paths of files and open files of a process: a part of rt.bpf.c.
 *
 * Tracepoints may not call the kernel's own d_path(). So a path is made in the same way: from the last name up to the
 * process's root, through mounts. It is written backwards, so if it is longer than RT_PATH_MAX its end is kept.
 */
enum { RT_PATH_MAX = 1024, RT_PATH_END = RT_BI + 4096 - 8, MAX_NAMES = 256 };

/* Where the walk is, in st->work. */
enum {
	WK_DENTRY,
	WK_MNT,
	WK_ROOT, /* of the process: dentry, mount */
	WK_ROOT_MNT,
	WK_AT,    /* offset of the first byte so far */
	WK_STRAY, /* it is in no folder: a pipe, a socket */
	WK_CUT,
};

inline_ u64
word_at(u64 addr, u64 off)
{
	u64 v = 0;
	if (off != ~0ull)
		read_kernel(&v, 8, addr + off);
	return v;
}

inline_ void
prepend(struct rt *st, char c)
{
	u64 at = --st->work[WK_AT];
	HIDE(at);
	*AT(st, at) = c;
}

/* Puts the dentry's own name before the text. Returns 0 if there is no room. */
inline_ u64
prepend_name(struct rt *st)
{
	u64 dentry = st->work[WK_DENTRY], len = 0, at = st->work[WK_AT];
	read_kernel(&len, 4, dentry + CONST(DENTRY_LEN));
	HIDE(len);
	len &= 255;
	if (RT_PATH_END - at + len > RT_PATH_MAX - 8)
		return 0;
	at -= len;
	st->work[WK_AT] = at;
	HIDE(at);
	read_kernel(AT(st, at), len, word_at(dentry, CONST(DENTRY_NAME)));
	return 1;
}

static long
step_up(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	u64 dentry = st->work[WK_DENTRY], mnt = st->work[WK_MNT];
	if (dentry == st->work[WK_ROOT] && mnt == st->work[WK_ROOT_MNT])
		return 1;
	if (dentry == word_at(mnt, CONST(VFSMOUNT_ROOT))) {
		u64 mount = mnt - CONST(MOUNT_MNT), parent = word_at(mount, CONST(MOUNT_PARENT));
		if (!parent || parent == mount)
			return 1;
		st->work[WK_DENTRY] = word_at(mount, CONST(MOUNT_POINT));
		st->work[WK_MNT] = parent + CONST(MOUNT_MNT);
		return 0;
	}
	u64 parent = word_at(dentry, CONST(DENTRY_PARENT));
	if (!parent || parent == dentry) {
		st->work[WK_STRAY] = 1;
		return 1;
	}
	if (!prepend_name(st)) {
		st->work[WK_CUT] = 1;
		return 1;
	}
	prepend(st, '/');
	st->work[WK_DENTRY] = parent;
	return 0;
}

/* The name in /proc of files that are in no folder: pipe:[17]; others have a name that says what they are. */
fn_ u64
rt_stray(struct rt *st)
{
	if (!st)
		return 0;
	u64 dentry = st->work[WK_DENTRY], magic = word_at(word_at(dentry, CONST(DENTRY_SB)), CONST(SB_MAGIC));
	st->work[WK_AT] = RT_PATH_END;
	if (magic != 0x50495045 && magic != 0x534f434b) {
		prepend_name(st);
		return 0;
	}
	prepend(st, ']');
	struct span s = {.st = st,
	    .a = st->work[WK_AT],
	    .x = word_at(word_at(dentry, CONST(DENTRY_INODE)), CONST(INODE_INO)),
	    .n = 10};
	loop(20, put_digit, &s, 0);
	st->work[WK_AT] = s.a - 8;
	u64 at = s.a - 8;
	HIDE(at);
	/* "  pipe:[" and "socket:[" */
	*(u64 *)AT(st, at) = magic == 0x50495045 ? 0x5b3a657069702020 : 0x5b3a74656b636f73;
	if (magic == 0x50495045)
		st->work[WK_AT] += 2;
	return 0;
}

/* The path of a dentry on a mount, as the thread's process sees it. st->ptr: its offset; st->len: its length. */
fn_ u64
rt_path(struct rt *st, u64 dentry, u64 mnt)
{
	if (!st)
		return 0;
	u64 root = word_at(task_of(st), CONST(TASK_FS)) + CONST(FS_ROOT);
	st->work[WK_DENTRY] = dentry;
	st->work[WK_MNT] = mnt;
	st->work[WK_ROOT] = word_at(root, CONST(PATH_DENTRY));
	st->work[WK_ROOT_MNT] = word_at(root, CONST(PATH_MNT));
	st->work[WK_AT] = RT_PATH_END;
	st->work[WK_STRAY] = st->work[WK_CUT] = 0;
	*(u64 *)&st->mem[RT_PATH_END] = 0;
	struct span s = {.st = st};
	if (dentry && mnt)
		loop(MAX_NAMES, step_up, &s, 0);
	if (st->work[WK_STRAY])
		rt_stray(st);
	if (st->work[WK_CUT])
		prepend(st, '.'), prepend(st, '.'), prepend(st, '.');
	if (dentry && st->work[WK_AT] == RT_PATH_END)
		prepend(st, '/');
	st->ptr = st->work[WK_AT];
	st->len = RT_PATH_END - st->ptr;
	return 0;
}

/* Of a struct path. */
inline_ void
path_of(struct rt *st, u64 path)
{
	rt_path(st, word_at(path, CONST(PATH_DENTRY)), word_at(path, CONST(PATH_MNT)));
}

/* Where a search for a mount is, in st->work. */
enum { WM_DENTRY, WM_SB, WM_AT, WM_NS, WM_ANY, WM_HERE, WM_WHOLE, WM_UP, WM_TOP };

static long
is_below(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	u64 up = st->work[WM_UP], parent = word_at(up, CONST(DENTRY_PARENT));
	if (up == st->work[WM_TOP] || !parent || parent == up)
		return 1;
	st->work[WM_UP] = parent;
	return 0;
}

/* Returns whether the file is below the mounted folder, which may be only a part of the file system. */
inline_ u64
is_mounted_by(struct rt *st, u64 mnt)
{
	st->work[WM_UP] = st->work[WM_DENTRY];
	st->work[WM_TOP] = word_at(mnt, CONST(VFSMOUNT_ROOT));
	struct span s = {.st = st};
	loop(MAX_NAMES, is_below, &s, 0);
	return st->work[WM_UP] == st->work[WM_TOP];
}

static long
next_mount(u32 i, void *ctx)
{
	struct rt *st = ((struct span *)ctx)->st;
	u64 at = st->work[WM_AT], sb = st->work[WM_SB];
	if (!at || at == sb + CONST(SB_MOUNTS))
		return 1;
	u64 mount = at - CONST(MOUNT_LINK), mnt = mount + CONST(MOUNT_MNT);
	if (!st->work[WM_ANY])
		st->work[WM_ANY] = mnt;
	if (word_at(mount, CONST(MOUNT_NS)) == st->work[WM_NS]) {
		if (!st->work[WM_HERE] && is_mounted_by(st, mnt))
			st->work[WM_HERE] = mnt;
		if (word_at(mnt, CONST(VFSMOUNT_ROOT)) == word_at(sb, CONST(SB_ROOT))) {
			st->work[WM_WHOLE] = mnt;
			return 1;
		}
	}
	st->work[WM_AT] = word_at(at, CONST(MOUNT_NEXT));
	return 0;
}

/* Finds a mount of the dentry's file system, in st->ptr: one of the whole file system that the thread's process sees
 * if possible, otherwise one of a part that contains the dentry; 0 if none. */
fn_ u64
rt_mount_of(struct rt *st, u64 dentry)
{
	if (!st)
		return 0;
	u64 sb = word_at(dentry, CONST(DENTRY_SB));
	st->work[WM_DENTRY] = dentry;
	st->work[WM_SB] = sb;
	st->work[WM_AT] = sb ? word_at(sb, CONST(SB_MOUNTS)) : 0;
	st->work[WM_NS] = word_at(word_at(task_of(st), CONST(TASK_NSPROXY)), CONST(NSPROXY_MNT));
	st->work[WM_ANY] = st->work[WM_HERE] = st->work[WM_WHOLE] = 0;
	struct span s = {.st = st};
	loop(MAX_NAMES, next_mount, &s, 0);
	st->ptr = st->work[WM_WHOLE] ? st->work[WM_WHOLE] : st->work[WM_HERE] ? st->work[WM_HERE] : st->work[WM_ANY];
	return 0;
}

/*
 * The library of translators asks for more than struct paths, by the lowest bits of the address: 1 means that it is a
 * dentry, whose mount must be found; 2 asks for where it is mounted.
 */
SUBR(D_PATH)
{
	if (!st)
		return 0;
	u64 dentry = 0, mnt = 0, at = a & ~3ull;
	if (CONST(PATH_DENTRY) == ~0ull)
		return fail(st, ILLOP, 0);
	if (is_user(a) || is_region(a))
		return fail(st, BADADDR, a);
	if (a & 1) {
		dentry = at;
		rt_mount_of(st, dentry);
		mnt = st->ptr;
	} else if (read_kernel(&dentry, 8, at + CONST(PATH_DENTRY)) || read_kernel(&mnt, 8, at + CONST(PATH_MNT))) {
		return fail(st, BADADDR, a);
	}
	if (a & 2)
		dentry = word_at(mnt, CONST(VFSMOUNT_ROOT));
	rt_path(st, dentry, mnt);
	/* The file is mounted nowhere, or only a part of its file system is. */
	if (a & 1 && (!mnt || st->work[WK_STRAY])) {
		u64 to = RT_PATH_END - 16;
		HIDE(to);
		__builtin_memcpy(AT(st, to), "<unknown>", 9);
		st->ptr = to;
		st->len = 9;
	}
	return rt_scratch_str(st, st->ptr, st->len);
}

/* st->len bytes at st->ptr, to offset `to`, at most size - 1 of them; how many in st->len, so that the verifier does
 * not know. */
inline_ void
keep_path(struct rt *st, u64 to, u64 size)
{
	u64 n = st->len < size - 1 ? st->len : size - 1, end;
	st->len = n;
	HIDE(n);
	n &= 2047;
	read_kernel(AT(st, to), n, st->self + __builtin_offsetof(struct rt, mem) + st->ptr);
	end = to + n;
	HIDE(end);
	*AT(st, end) = 0;
}

inline_ u64
open_file(struct rt *st, u64 fd)
{
	u64 fdt = word_at(word_at(task_of(st), CONST(TASK_FILES)), CONST(FILES_FDT));
	u32 max = 0;
	read_kernel(&max, 4, fdt + CONST(FDT_MAX));
	return fdt && fd < max ? word_at(word_at(fdt, CONST(FDT_FD)), 8 * fd) : 0;
}

/* fds[fd]: the address of a copy in scratch, which is empty if fd is not open. */
fn_ u64
rt_fds(struct rt *st, u64 fd)
{
	if (!st)
		return 0;
	if (fd > 0xffff)
		return fail(st, BADINDEX, fd);
	if (st->file && st->file_fd == fd) {
		st->res = ADDR(R_SCRATCH, st->file - 1);
		return 0;
	}
	struct procinfo_file *f = (struct procinfo_file *)&st->mem[RT_BI];
	u64 file = open_file(st, fd);
	rt_zero(st, RT_BI, sizeof *f);
	if (file) {
		u64 path = file + CONST(FILE_PATH), mnt = word_at(path, CONST(PATH_MNT)),
		    dentry = word_at(path, CONST(PATH_DENTRY)), sb = word_at(dentry, CONST(DENTRY_SB));
		rt_path(st, word_at(mnt, CONST(VFSMOUNT_ROOT)), mnt);
		keep_path(st, RT_BI + __builtin_offsetof(struct procinfo_file, fi_mount), sizeof f->fi_mount);
		rt_path(st, dentry, mnt);
		keep_path(st, RT_BI + __builtin_offsetof(struct procinfo_file, fi_pathname), sizeof f->fi_pathname);
		u64 n = st->len;
		struct span s = {.st = st, .a = RT_BI + __builtin_offsetof(struct procinfo_file, fi_pathname), .n = n};
		loop(n, back_over_name, &s, 0);
		st->len = n - s.n;
		st->ptr = s.a + s.n;
		keep_path(st, RT_BI + __builtin_offsetof(struct procinfo_file, fi_name), sizeof f->fi_name);
		/* "/" stays for files in the root; files in no folder have none. */
		st->len = s.n > 1 ? s.n - 1 : s.n;
		st->ptr = s.a;
		keep_path(st, RT_BI + __builtin_offsetof(struct procinfo_file, fi_dirname), sizeof f->fi_dirname);
		read_kernel_str(f->fi_fs, sizeof f->fi_fs, word_at(word_at(sb, CONST(SB_TYPE)), CONST(FSTYPE_NAME)));
		f->fi_offset = word_at(file, CONST(FILE_POS));
		f->fi_oflags = (u32)word_at(file, CONST(FILE_FLAGS));
	}
	u64 fault = scratch_new(st, sizeof *f), to = st->ptr;
	if (fault)
		return fault;
	HIDE(to);
	read_kernel(AT(st, to), sizeof *f, st->self + __builtin_offsetof(struct rt, mem) + RT_BI);
	st->file = st->res - ADDR(R_SCRATCH, 0) + 1;
	st->file_fd = fd;
	return 0;
}

/* cwd or root: a string in scratch. */
fn_ u64
rt_folder(struct rt *st, u64 id)
{
	if (!st)
		return 0;
	u64 fs = word_at(task_of(st), CONST(TASK_FS));
	st->len = 0;
	st->ptr = RT_PATH_END;
	if (fs)
		path_of(st, fs + (id == DIF_BI_CWD ? CONST(FS_PWD) : CONST(FS_ROOT)));
	return rt_scratch_str(st, st->ptr, st->len);
}
