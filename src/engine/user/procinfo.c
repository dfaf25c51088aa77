/*
 * What Linux tells about this process under /proc, in the structures that curpsinfo, curlwpsinfo and fds[] point at.
 * Nothing here allocates. What cannot be read is left zero or empty.
 */
#include "engine/user/user.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Reads the file's first bytes, NUL-terminated. Returns how many, or 0 if it cannot be read. */
static size_t
slurp(const char *path, char *to, size_t size)
{
	int saved = errno;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 0;
	size_t len = 0;
	if (fd >= 0) {
		while (len < size - 1 && (n = read(fd, to + len, size - 1 - len)) > 0)
			len += (size_t)n;
		close(fd);
	}
	to[len] = '\0';
	errno = saved;
	return len;
}

/* Names end at a newline; the NULs between arguments become blanks. */
static void
one_line(char *s, size_t len)
{
	while (len > 0 && (s[len - 1] == '\n' || s[len - 1] == '\0'))
		s[--len] = '\0';
	for (size_t i = 0; i < len; i++)
		if (s[i] == '\0')
			s[i] = ' ';
}

void
pi_text(const char *file, char *to, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/%s", file);
	one_line(to, slurp(path, to, size));
}

void
pi_link(const char *file, char *to, size_t size)
{
	char path[64];
	int saved = errno;
	snprintf(path, sizeof path, "/proc/self/%s", file);
	ssize_t n = readlink(path, to, size - 1);
	to[n > 0 ? n : 0] = '\0';
	errno = saved;
}

/* Fields of a stat file after the name, which is in parentheses and may hold anything. */
struct stat_line {
	char state;
	int ppid, pgid, sid, tty, pri, nlwp, cpu, policy;
	unsigned long long start; /* clock ticks since boot */
	unsigned long long stack; /* address of the program's arguments */
};

static bool
read_stat(const char *path, struct stat_line *s)
{
	char text[1024];
	*s = (struct stat_line){.state = '?'};
	if (!slurp(path, text, sizeof text))
		return false;
	const char *at = strrchr(text, ')');
	if (!at)
		return false;
	return sscanf(at + 1,
		   " %c %d %d %d %d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %d %*d %d %*d %llu %*u %*d %*u %*u %*u %llu "
		   "%*u %*u %*u %*u %*u %*u %*u %*u %*u %*d %d %*u %d",
		   &s->state, &s->ppid, &s->pgid, &s->sid, &s->tty, &s->pri, &s->nlwp, &s->start, &s->stack, &s->cpu,
		   &s->policy) == 11;
}

enum { SONPROC = 6 }; /* DTrace's pr_state of a running process; pr_sname is /proc's letter */

/* ns since the epoch */
static uint64_t
start_time(unsigned long long ticks)
{
	char text[4096];
	const char *at;
	long hz = sysconf(_SC_CLK_TCK);
	if (hz <= 0 || !slurp("/proc/stat", text, sizeof text) || !(at = strstr(text, "\nbtime ")))
		return 0;
	return (strtoull(at + 7, NULL, 10) + ticks / (unsigned long long)hz) * 1000000000u +
	       ticks % (unsigned long long)hz * (1000000000u / (unsigned long long)hz);
}

/* Converts /proc's encoding of a terminal's device to the kernel's own. Returns -1 if there is none. */
static uint64_t
terminal(unsigned dev)
{
	uint64_t major = dev >> 8 & 0xfff, minor = (dev & 0xff) | (dev >> 12 & 0xfff00);
	return dev ? major << 20 | minor : UINT64_MAX;
}

/* A program's stack begins with the number of arguments, their addresses, a NULL, and the addresses of the
 * environment. */
static void
first_words(struct procinfo_ps *ps, uint64_t at)
{
	uint64_t n = 0;
	int saved = errno;
	struct iovec to = {&n, sizeof n}, from = {(void *)(uintptr_t)at, sizeof n};
	if (at && process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)sizeof n && n <= 1u << 22) {
		ps->pr_argc = (int32_t)n;
		ps->pr_argv = at + 8;
		ps->pr_envp = at + 8 + 8 * (n + 1);
	}
	errno = saved;
}

void
pi_ps(struct procinfo_ps *ps)
{
	struct stat_line s;
	read_stat("/proc/self/stat", &s);
	*ps = (struct procinfo_ps){.pr_pid = getpid(),
	    .pr_ppid = getppid(),
	    .pr_pgid = s.pgid,
	    .pr_sid = s.sid,
	    .pr_uid = (int32_t)getuid(),
	    .pr_euid = (int32_t)geteuid(),
	    .pr_gid = (int32_t)getgid(),
	    .pr_egid = (int32_t)getegid(),
	    .pr_nlwp = s.nlwp,
	    .pr_start = start_time(s.start),
	    .pr_ttydev = terminal((unsigned)s.tty),
	    .pr_dmodel = PR_MODEL_LP64,
	    .pr_state = SONPROC};
	pi_text("comm", ps->pr_fname, sizeof ps->pr_fname);
	first_words(ps, s.stack);
	pi_text("cmdline", ps->pr_psargs, sizeof ps->pr_psargs);
}

/* Returns the CPU if the thread may run on no other, otherwise -1. */
static int
bound_cpu(int cpu)
{
	uint64_t mask[128]; /* of 8192 CPUs */
	int saved = errno;
	long len = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask), n = 0;
	for (long i = 0; i < len / 8; i++)
		n += __builtin_popcountll(mask[i]);
	errno = saved;
	return n == 1 ? cpu : -1;
}

void
pi_lwp(struct procinfo_lwp *l)
{
	struct stat_line s;
	read_stat("/proc/thread-self/stat", &s);
	*l = (struct procinfo_lwp){.pr_lwpid = (int32_t)syscall(SYS_gettid),
	    .pr_pri = s.pri,
	    .pr_onpro = s.cpu,
	    .pr_bindpro = bound_cpu(s.cpu),
	    .pr_bindpset = -1,
	    .pr_state = SONPROC,
	    .pr_sname = s.state};
	bool is_rt = s.policy == SCHED_FIFO || s.policy == SCHED_RR || s.policy == SCHED_DEADLINE;
	memcpy(l->pr_clname, is_rt ? "RT" : "TS", 3);
	one_line(l->pr_name, slurp("/proc/thread-self/comm", l->pr_name, sizeof l->pr_name));
}

/* ---- files ---- */

static void
put(char *to, size_t size, const char *from, size_t len)
{
	if (len > size - 1)
		len = size - 1;
	memcpy(to, from, len);
	to[len] = '\0';
}

/* The number after `name:` of a fdinfo file. */
static long long
fdinfo(const char *text, const char *name, int base)
{
	const char *at = strstr(text, name);
	return at ? strtoll(at + strlen(name), NULL, base) : 0;
}

/* Mount point and file system of a mount: "id parent major:minor root point options … - type source …". */
static void
mount_of(struct activation *r, long long id, struct procinfo_file *f)
{
	int saved = errno;
	char line[1024];
	size_t len = 0;
	ssize_t n;
	int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && charge(r, PAGE) && (n = read(fd, line + len, sizeof line - 1 - len)) > 0) {
		char *eol;
		len += (size_t)n;
		line[len] = '\0';
		while ((eol = strchr(line, '\n'))) {
			char point[256], type[32];
			const char *dash = memmem(line, (size_t)(eol - line), " - ", 3);
			if (strtoll(line, NULL, 10) == id && dash &&
			    sscanf(line, "%*d %*d %*s %*s %255s", point) == 1 && sscanf(dash + 3, "%31s", type) == 1) {
				put(f->fi_mount, sizeof f->fi_mount, point, strlen(point));
				put(f->fi_fs, sizeof f->fi_fs, type, strlen(type));
				close(fd);
				errno = saved;
				return;
			}
			len -= (size_t)(eol + 1 - line);
			memmove(line, eol + 1, len + 1);
		}
		if (len == sizeof line - 1) /* the line is longer than any that matters */
			len = 0;
	}
	if (fd >= 0)
		close(fd);
	errno = saved;
}

bool
pi_file(struct activation *r, uint32_t fd, struct procinfo_file *f)
{
	static const char none[] = "<none>";
	char name[32], text[512], path[64];
	memset(f, 0, sizeof *f);
	snprintf(name, sizeof name, "fd/%u", fd);
	pi_link(name, f->fi_pathname, sizeof f->fi_pathname);
	if (!f->fi_pathname[0]) {
		memcpy(f->fi_name, none, sizeof none);
		memcpy(f->fi_dirname, none, sizeof none);
		memcpy(f->fi_pathname, none, sizeof none);
		memcpy(f->fi_fs, none, sizeof none);
		memcpy(f->fi_mount, none, sizeof none);
		return true;
	}
	const char *slash = strrchr(f->fi_pathname, '/');
	const char *base = slash ? slash + 1 : f->fi_pathname;
	put(f->fi_name, sizeof f->fi_name, base, strlen(base));
	if (slash)
		put(f->fi_dirname, sizeof f->fi_dirname, f->fi_pathname,
		    slash == f->fi_pathname ? 1 : (size_t)(slash - f->fi_pathname));
	snprintf(path, sizeof path, "/proc/self/fdinfo/%u", fd);
	slurp(path, text, sizeof text);
	f->fi_offset = fdinfo(text, "pos:", 10);
	f->fi_oflags = (int32_t)fdinfo(text, "flags:", 8);
	mount_of(r, fdinfo(text, "mnt_id:", 10), f);
	return !r->budget->over;
}

/* Sets *is to whether `ancestor` is the process itself or one of its ancestors. Returns false on a fault, if there
 * are too many. */
bool
pi_progeny(struct activation *r, int32_t pid, int32_t ancestor, bool *is)
{
	for (unsigned depth = 0; pid > 0 && pid != ancestor && depth < 1024; depth++) {
		char path[64];
		struct stat_line s;
		if (!charge(r, 4 * PAGE))
			return false;
		snprintf(path, sizeof path, "/proc/%d/stat", pid);
		pid = read_stat(path, &s) ? s.ppid : 0;
	}
	*is = pid > 0 && pid == ancestor;
	return true;
}
