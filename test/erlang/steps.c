/*
 * steps PID LIBRARY ENTRY EVENTS: counts the machine instructions that a library takes for one operation in a running
 * VM, and how many of them are atomic: they read and write memory at once, for which a processor must have a cache line
 * for itself.
 *
 * steps PID LIBRARY ENTRY EVENTS SCHEDULER STORES: prints the cache lines (of 64 bytes) that it writes instead. STORES
 * is a file with the library's instructions that write memory, by stores.awk. What functions of libc and of the VM
 * write on its behalf is not among them.
 *
 * The thread of the VM's first scheduler, or of that one, is executed step by step. ENTRY (hexadecimal) is the address
 * in the library of a function that is called EVENTS times for each operation. What is printed is of the operation that
 * took the fewest instructions of some: an event now and then does more, because it is measured or because a table has
 * changed.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

#include <dirent.h>

#if !defined(__x86_64__)
int
main(void)
{
	return 67;
}
#else

enum { OPERATIONS = 8, MOST_SECONDS = 120, LOOK = 4096, MOST_LINES = 1024, LINE_BITS = 6 };

static pid_t hurried;
static cpu_set_t before;

/* Both wait for a processor at each step, which takes ages on a busy machine: so they get one for themselves. Where
 * this is not allowed, it does. */
static void
hurry(pid_t tid)
{
	struct sched_param p = {.sched_priority = 1};
	cpu_set_t here;
	int cpu = sched_getcpu();
	CPU_ZERO(&here);
	CPU_SET(cpu < 0 ? 0 : (size_t)cpu, &here);
	if (sched_getaffinity(tid, sizeof before, &before) != 0 || !CPU_ISSET(cpu < 0 ? 0 : (size_t)cpu, &before))
		return;
	hurried = tid;
	sched_setaffinity(0, sizeof here, &here);
	sched_setaffinity(tid, sizeof here, &here);
	sched_setscheduler(0, SCHED_FIFO, &p);
	sched_setscheduler(tid, SCHED_FIFO, &p);
}

static void
relax(void)
{
	struct sched_param p = {0};
	if (!hurried)
		return;
	sched_setscheduler(hurried, SCHED_OTHER, &p);
	sched_setaffinity(hurried, sizeof before, &before);
}

static void
give_up(const char *what)
{
	fprintf(stderr, "steps: %s\n", what);
	relax();
	exit(1);
}

/* Before OTP 26 the thread is called 1_scheduler. */
static pid_t
thread_of(const char *pid, unsigned scheduler)
{
	char path[600], name[32] = "", early[32], late[32];
	snprintf(early, sizeof early, "%u_scheduler\n", scheduler);
	snprintf(late, sizeof late, "erts_sched_%u\n", scheduler);
	snprintf(path, sizeof path, "/proc/%s/task", pid);
	DIR *d = opendir(path);
	for (struct dirent *e; d && (e = readdir(d));) {
		snprintf(path, sizeof path, "/proc/%s/task/%s/comm", pid, e->d_name);
		FILE *f = fopen(path, "r");
		bool is = f && fgets(name, sizeof name, f) && (strcmp(name, early) == 0 || strcmp(name, late) == 0);
		if (f)
			fclose(f);
		if (is) {
			pid_t tid = atoi(e->d_name);
			closedir(d);
			return tid;
		}
	}
	give_up("the VM has no such thread");
	return 0;
}

/* Where the library is in the process: its beginning, and the end of its code. */
static void
find_library(const char *pid, const char *library, uint64_t *from, uint64_t *to)
{
	char path[64], line[600], rights[8];
	uint64_t a, b;
	snprintf(path, sizeof path, "/proc/%s/maps", pid);
	FILE *f = fopen(path, "r");
	*from = *to = 0;
	while (f && fgets(line, sizeof line, f)) {
		if (!strstr(line, library) || sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &a, &b, rights) != 3)
			continue;
		if (!*from)
			*from = a;
		if (rights[2] == 'x')
			*to = b;
	}
	if (f)
		fclose(f);
	if (!*to)
		give_up("the library is not there");
}

/* The library's bytes as the process has them, on the heap. Gaps between its parts are 0. */
static unsigned char *
code_of(pid_t pid, uint64_t from, uint64_t to)
{
	enum { PAGE = 4096 };
	unsigned char *code = calloc(to - from + PAGE, 1);
	if (!code)
		give_up("out of memory");
	for (uint64_t at = from; at < to; at += PAGE) {
		struct iovec here = {code + (at - from), PAGE}, there = {(void *)(uintptr_t)at, PAGE};
		process_vm_readv(pid, &here, 1, &there, 1, 0);
	}
	return code;
}

/* Whether an instruction has the prefix `lock`, or exchanges a register with memory, which implies it. */
static bool
is_atomic(const unsigned char *at)
{
	static const unsigned char prefixes[] = {0x66, 0x67, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, 0xf2, 0xf3};
	for (; *at == 0xf0 || memchr(prefixes, *at, sizeof prefixes); at++)
		if (*at == 0xf0)
			return true;
	at += (*at & 0xf0) == 0x40; /* REX */
	return (*at == 0x86 || *at == 0x87) && at[1] >> 6 != 3;
}

/* ---- what is written ---- */

/* Where an instruction of the library writes: registers of struct user_regs_struct by offset, or NONE. */
struct store {
	bool is, in_library; /* in_library: disp is from the library's beginning */
	uint64_t disp, scale;
	size_t segment, base, index;
};

enum { NONE = -1 };

static size_t
reg_named(const char *name)
{
#define R(r) \
	{ \
#r, offsetof(struct user_regs_struct, r) \
	}
	static const struct {
		const char *name;
		size_t at;
	} regs[] = {R(rax), R(rbx), R(rcx), R(rdx), R(rsi), R(rdi), R(rbp), R(rsp), R(r8), R(r9), R(r10), R(r11),
	    R(r12), R(r13), R(r14), R(r15), {"fs", offsetof(struct user_regs_struct, fs_base)}};
#undef R
	for (size_t i = 0; i < sizeof regs / sizeof regs[0]; i++)
		if (strcmp(name, regs[i].name) == 0)
			return regs[i].at;
	return (size_t)NONE;
}

/* By place in the library. */
static struct store *
read_stores(const char *path, uint64_t size)
{
	struct store *stores = calloc(size, sizeof *stores);
	char segment[8], base[8], index[8], disp[32];
	uint64_t at, scale;
	FILE *f = fopen(path, "r");
	if (!f || !stores)
		give_up("no stores");
	while (fscanf(f, "%" SCNx64 " %7s %31s %7s %7s %" SCNu64, &at, segment, disp, base, index, &scale) == 6) {
		if (at >= size)
			give_up("stores beyond the library's end");
		bool minus = disp[0] == '-';
		uint64_t d = strtoull(disp + minus, NULL, 16);
		stores[at] = (struct store){true, strcmp(base, "library") == 0, minus ? -d : d, scale,
		    reg_named(segment), reg_named(base), reg_named(index)};
	}
	fclose(f);
	return stores;
}

static uint64_t
reg(const struct user_regs_struct *r, size_t at)
{
	uint64_t value = 0;
	if (at != (size_t)NONE)
		memcpy(&value, (const char *)r + at, sizeof value);
	return value;
}

/* The lines that one operation writes, each once. */
struct lines {
	uint64_t at[MOST_LINES];
	size_t n;
};

static void
add_line(struct lines *l, const struct store *s, const struct user_regs_struct *r, uint64_t library)
{
	uint64_t line = (reg(r, s->segment) + s->disp + reg(r, s->base) + reg(r, s->index) * s->scale +
			    (s->in_library ? library : 0)) >>
			LINE_BITS;
	for (size_t i = 0; i < l->n; i++)
		if (l->at[i] == line)
			return;
	if (l->n == MOST_LINES)
		give_up("too many lines are written");
	l->at[l->n++] = line;
}

int
main(int argc, char **argv)
{
	static struct lines written, least_written;
	if (argc != 5 && argc != 7)
		give_up("PID LIBRARY ENTRY EVENTS [SCHEDULER STORES]");
	uint64_t from, to, entry = strtoull(argv[3], NULL, 16);
	unsigned events = (unsigned)atoi(argv[4]), seen = 0, done = 0;
	unsigned long inside = 0, least = 0, atomic = 0, least_atomic = 0;
	int status;
	find_library(argv[1], argv[2], &from, &to);
	const unsigned char *code = code_of((pid_t)atoi(argv[1]), from, to);
	const struct store *stores = argc == 7 ? read_stores(argv[6], to - from) : NULL;
	pid_t tid = thread_of(argv[1], argc == 7 ? (unsigned)atoi(argv[5]) : 1);
	if (ptrace(PTRACE_SEIZE, tid, 0, 0) != 0 || ptrace(PTRACE_INTERRUPT, tid, 0, 0) != 0)
		return 67; /* not allowed here */
	if (waitpid(tid, &status, __WALL) != tid)
		give_up("the thread does not stop");
	hurry(tid);
	time_t until = time(NULL) + MOST_SECONDS; /* the VM may have other work to do in between */
	for (unsigned long n = 0; done < OPERATIONS && (n % LOOK || time(NULL) < until); n++) {
		struct user_regs_struct r;
		if (ptrace(PTRACE_GETREGS, tid, 0, &r) != 0)
			give_up("the thread has no registers");
		if (r.rip == from + entry && seen++ % events == 0) {
			if (seen > 1 && (!done++ || inside < least)) {
				least = inside;
				least_atomic = atomic;
				least_written = written;
			}
			inside = atomic = 0;
			written.n = 0;
		}
		if (r.rip >= from && r.rip < to) {
			inside++;
			atomic += is_atomic(code + (r.rip - from));
			if (stores && stores[r.rip - from].is)
				add_line(&written, &stores[r.rip - from], &r, from);
		}
		if (ptrace(PTRACE_SINGLESTEP, tid, 0, 0) != 0 || waitpid(tid, &status, __WALL) != tid ||
		    !WIFSTOPPED(status))
			give_up("the thread does not step");
	}
	relax();
	ptrace(PTRACE_DETACH, tid, 0, 0);
	if (done < OPERATIONS)
		give_up("there are no events");
	for (size_t i = 0; stores && i < least_written.n; i++)
		printf("%" PRIx64 "\n", least_written.at[i] << LINE_BITS);
	if (!stores)
		printf("%lu %lu\n", least, least_atomic);
	return 0;
}
#endif
