/*
 * Setting up the kernel engine fails at every step in turn: at each allocation and each system call of it (bpf,
 * perf_event_open, mmap, ioctl, files, threads). Probes of system calls, tracepoints, clocks, functions of a process
 * and USDT are enabled, fired a known number of times and printed. In round k, step k fails. Each time either a call
 * fails and says why, or a note says what is not traced, or the output is right anyway. Afterwards no descriptor and no
 * thread is left; without descriptors nothing is attached.
 *
 * Environment: STEP: every how many steps one fails, 1 for all; the default takes some seconds. ONLY=KIND:N: only that
 * one (KIND 0 to 2), with a SIGTRAP for a debugger. VERBOSE: what each said.
 */
#include "erltrace.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TIMES = 10, SKIPPED = 67 };

/* What fails: the fail_at-th of its kind, with an errno. */
enum kind { ALLOCATION, BPF, OTHER, NKINDS };
static const char *const kind_names[NKINDS] = {"allocation", "call of the kernel's BPF", "call of the system"};
static atomic_ulong calls[NKINDS];
static atomic_ulong fail_at; /* 0: never */
static atomic_int fail_kind, fail_errno;

static bool
fails(enum kind k)
{
	unsigned long n = atomic_fetch_add(&calls[k], 1) + 1;
	if (n != atomic_load(&fail_at) || atomic_load(&fail_kind) != (int)k)
		return false;
	if (getenv("ONLY"))
		raise(SIGTRAP);
	errno = atomic_load(&fail_errno);
	return true;
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t m);
void *__real_realloc(void *p, size_t n);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);
long __real_syscall(long n, long a, long b, long c, long d, long e, long f);
int __real_ioctl(int fd, unsigned long what, unsigned long arg);
void *__real_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off);
int __real_open(const char *path, int flags, int mode);
FILE *__real_fopen(const char *path, const char *mode);
int __real_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *), void *arg);
int __real_eventfd(unsigned n, int flags);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t m);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t n);
long __wrap_syscall(long n, long a, long b, long c, long d, long e, long f);
int __wrap_ioctl(int fd, unsigned long what, unsigned long arg);
void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off);
int __wrap_open(const char *path, int flags, int mode);
FILE *__wrap_fopen(const char *path, const char *mode);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *), void *arg);
int __wrap_eventfd(unsigned n, int flags);

void *
__wrap_malloc(size_t n)
{
	return fails(ALLOCATION) ? NULL : __real_malloc(n);
}

void *
__wrap_calloc(size_t n, size_t m)
{
	return fails(ALLOCATION) ? NULL : __real_calloc(n, m);
}

void *
__wrap_realloc(void *p, size_t n)
{
	return fails(ALLOCATION) ? NULL : __real_realloc(p, n);
}

char *
__wrap_strdup(const char *s)
{
	return fails(ALLOCATION) ? NULL : __real_strdup(s);
}

char *
__wrap_strndup(const char *s, size_t n)
{
	return fails(ALLOCATION) ? NULL : __real_strndup(s, n);
}

long
__wrap_syscall(long n, long a, long b, long c, long d, long e, long f)
{
	bool ours = n == SYS_bpf || n == SYS_perf_event_open;
	return ours && fails(BPF) ? -1 : __real_syscall(n, a, b, c, d, e, f);
}

int
__wrap_ioctl(int fd, unsigned long what, unsigned long arg)
{
	return fails(OTHER) ? -1 : __real_ioctl(fd, what, arg);
}

void *
__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
	return fails(OTHER) ? MAP_FAILED : __real_mmap(at, len, prot, flags, fd, off);
}

int
__wrap_open(const char *path, int flags, int mode)
{
	return fails(OTHER) ? -1 : __real_open(path, flags, mode);
}

FILE *
__wrap_fopen(const char *path, const char *mode)
{
	return fails(OTHER) ? NULL : __real_fopen(path, mode);
}

int
__wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *), void *arg)
{
	return fails(OTHER) ? EAGAIN : __real_pthread_create(t, a, fn, arg);
}

int
__wrap_eventfd(unsigned n, int flags)
{
	return fails(OTHER) ? -1 : __real_eventfd(n, flags);
}

/* ---- what is traced: this process ---- */

int traced(int n);
void marked(long n);

__attribute__((noinline)) int
traced(int n)
{
	__asm__ volatile("");
	return n + 1;
}

/* As <sys/sdt.h> writes it, without needing it. */
__attribute__((noinline)) void
marked(long n)
{
	__asm__ volatile("990: nop\n"
			 ".pushsection .note.stapsdt,\"\",\"note\"\n"
			 ".balign 4\n.4byte 992f-991f, 994f-993f, 3\n"
			 "991: .asciz \"stapsdt\"\n992: .balign 4\n"
			 "993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte 0\n"
			 ".asciz \"oomk\"\n.asciz \"mark\"\n.asciz \"-8@%0\"\n994: .balign 4\n.popsection\n"
			 ".ifndef _.stapsdt.base\n"
			 ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
			 ".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n"
			 ".size _.stapsdt.base,1\n.popsection\n.endif\n"
			 :
			 : "r"(n));
}

static const char program[] = "syscall::getppid:entry /pid == $target/ { self->on = 1; @[\"entry\"] = sum(1); }\n"
			      "syscall::getppid:return /self->on/ { self->on = 0; @[\"return\"] = sum(1); }\n"
			      "pid$target:a.out:traced:entry { @[\"called\"] = sum(arg0); }\n"
			      "pid$target:a.out:traced:return { @[\"returned\"] = sum(arg1); }\n"
			      "oomk$target:::mark { @[\"mark\"] = sum(arg0); names[\"a\", arg0] = 1; }\n"
			      "rawtp:::sched_process_exit /pid == $target/ { @ended = count(); }\n"
			      "proc:::exit /pid == $target/ { @exits[execname, curpsinfo->pr_ppid] = count(); }\n"
			      "profile-1 /pid < 0/ { @where[ustack(2)] = quantize(1); } tick-1h { @never = count(); }\n"
			      "BEGIN { printf(\"begin %s\\n\", probename); }\n"
			      "END { clear(@where); trunc(@where); printa(\"%s %@d\\n\", @); }\n";

struct result {
	char *text;
	bool failed, noted;
	char why[1024];
};

static enum et_handle
on_drop(const struct et_dropdata *d, void *arg)
{
	struct result *r = arg;
	r->noted = true;
	snprintf(r->why, sizeof r->why, "%s", d->msg);
	return ET_HANDLE_OK;
}

static bool
failed(struct et *h, struct result *r)
{
	r->failed = true;
	snprintf(r->why, sizeof r->why, "%s", et_errmsg(h, et_errno(h)));
	return false;
}

static bool
trace(struct et *h, struct result *r, FILE *out)
{
	static const char *const opts[][2] = {{"engine", "kernel"}, {"bufsize", "64k"}, {"aggsize", "64k"},
	    {"dynvarsize", "64k"}, {"quiet", NULL}, {"bufresize", "manual"}};
	et_handle_drop(h, on_drop, r);
	for (unsigned i = 0; i < sizeof opts / sizeof *opts; i++)
		if (et_setopt(h, opts[i][0], opts[i][1]) != 0)
			return failed(h, r);
	if (et_set_target(h, getpid()) != 0)
		return failed(h, r);
	struct et_prog *p = et_program_strcompile(h, program, ET_PROBESPEC_NAME, 0, 0, NULL);
	if (!p || et_program_exec(h, p, NULL) != 0 || et_go(h) != 0)
		return failed(h, r);
	for (int i = 0; i < TIMES; i++) {
		__real_syscall(SYS_getppid, 0, 0, 0, 0, 0, 0);
		traced(i);
		marked(i);
	}
	if (et_stop(h) != 0)
		return failed(h, r);
	enum et_workstatus s;
	do
		s = et_work(h, out, NULL, NULL, NULL);
	while (s == ET_WORKSTATUS_OKAY);
	if (s != ET_WORKSTATUS_DONE || et_aggregate_print(h, out, NULL, NULL) != 0)
		return failed(h, r);
	return true;
}

static unsigned
entries(const char *folder)
{
	unsigned n = 0;
	DIR *d = opendir(folder);
	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

static struct result
run(enum kind kind, unsigned long at, int err)
{
	struct result r = {0};
	char *buf;
	size_t len;
	FILE *out = open_memstream(&buf, &len);
	if (!out)
		abort();
	for (unsigned i = 0; i < NKINDS; i++)
		atomic_store(&calls[i], 0);
	atomic_store(&fail_kind, (int)kind);
	atomic_store(&fail_errno, err);
	atomic_store(&fail_at, at);
	int why = 0;
	struct et *h = et_open(ET_VERSION, &why);
	if (!h) {
		r.failed = true;
		snprintf(r.why, sizeof r.why, "%s", et_errmsg(NULL, why));
	} else
		trace(h, &r, out);
	et_close(h);
	atomic_store(&fail_at, 0);
	fclose(out);
	r.text = buf;
	return r;
}

/* Returns whether the result is allowed; complains otherwise. */
static bool
judge(const struct result *r, const char *good, enum kind kind, unsigned long at, int err)
{
	static unsigned fds, threads;
	bool ok = true;
	const char *wrong = NULL;
	if (!fds) {
		fds = entries("/proc/self/fd");
		threads = entries("/proc/self/task");
	}
	if (r->failed && !r->why[0])
		wrong = "a call failed without saying why";
	else if (!r->failed && !r->noted && strcmp(r->text, good) != 0)
		wrong = "no call said so, and the output is wrong";
	else if (entries("/proc/self/fd") != fds)
		wrong = "a descriptor is left open, or another was closed";
	else if (entries("/proc/self/task") != threads)
		wrong = "a thread is left";
	if (wrong) {
		fprintf(stderr, "%s %lu failed (%s): %s. %s\n%s---- instead of\n%s", kind_names[kind], at,
		    strerror(err), wrong, r->why, r->text, good);
		ok = false;
		fds = 0;
	}
	if (getenv("VERBOSE"))
		fprintf(stderr, "%s %lu (%s): %s\n", kind_names[kind], at, strerror(err),
		    r->failed || r->noted ? r->why : "-");
	return ok;
}

int
main(void)
{
	static const int errnos[] = {ENOMEM, EPERM, EMFILE, EINVAL};
	static const unsigned long steps[NKINDS] = {199, 7, 11};
	struct result good = run(ALLOCATION, 0, ENOMEM);
	if (good.failed) {
		fprintf(stderr, "%s\n", good.why);
		return SKIPPED;
	}
	free(good.text);
	/* What the first run keeps for the process (in libraries) is not counted. */
	good = run(ALLOCATION, 0, ENOMEM);
	unsigned long total[NKINDS], said[NKINDS] = {0}, noted[NKINDS] = {0}, tried[NKINDS] = {0};
	for (unsigned k = 0; k < NKINDS; k++)
		total[k] = atomic_load(&calls[k]);
	char expected[] = "begin BEGIN\n";
	if (good.failed || strncmp(good.text, expected, sizeof expected - 1) != 0 || !strstr(good.text, "mark 45\n") ||
	    !strstr(good.text, "called 45\n") || !strstr(good.text, "returned 55\n") ||
	    !strstr(good.text, "entry 10\n") || !strstr(good.text, "return 10\n")) {
		fprintf(stderr, "with nothing failing it prints:\n%s%s\n", good.text, good.why);
		return 1;
	}
	bool ok = judge(&good, good.text, ALLOCATION, 0, 0);
	const char *env = getenv("STEP");
	unsigned only_kind = NKINDS;
	unsigned long only = 0;
	if (getenv("ONLY"))
		sscanf(getenv("ONLY"), "%u:%lu", &only_kind, &only);
	for (unsigned k = 0; k < NKINDS; k++) {
		unsigned long step = env && atol(env) > 0 ? (unsigned long)atol(env) : steps[k];
		for (unsigned long at = 1; at <= total[k]; at += step) {
			if (only && (k != only_kind || at != only))
				continue;
			int err = k == ALLOCATION ? ENOMEM : errnos[(at / step) % 4];
			struct result r = run(k, at, err);
			ok &= judge(&r, good.text, k, at, err);
			tried[k]++;
			said[k] += r.failed;
			noted[k] += !r.failed && r.noted;
			free(r.text);
		}
	}
	free(good.text);
	for (unsigned k = 0; k < NKINDS; k++)
		fprintf(stderr, "%s: %lu of %lu failed in turn: %lu said so, %lu were noted, %lu were not needed\n",
		    kind_names[k], tried[k], total[k], said[k], noted[k], tried[k] - said[k] - noted[k]);
	return ok ? 0 : 1;
}
