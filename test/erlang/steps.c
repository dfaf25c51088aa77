/*
 * steps PID LIBRARY ENTRY EVENTS: counts the machine instructions that a library takes for one operation in a running
 * VM, and how many of them are atomic: they read and write memory at once, for which a processor must have a cache line
 * for itself.
 *
 * The thread of the VM's first scheduler is executed step by step. ENTRY (hexadecimal) is the address in the library of
 * a function that is called EVENTS times for each operation. Prints the two numbers of the operation that took the
 * least of some: an event now and then does more, because it is measured or because a table has changed.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
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

enum { OPERATIONS = 8, MOST_SECONDS = 120, LOOK = 4096 };

static void
give_up(const char *what)
{
	fprintf(stderr, "steps: %s\n", what);
	exit(1);
}

/* Before OTP 26 the thread is called 1_scheduler. */
static pid_t
first_scheduler(const char *pid)
{
	char path[600], name[32] = "";
	snprintf(path, sizeof path, "/proc/%s/task", pid);
	DIR *d = opendir(path);
	for (struct dirent *e; d && (e = readdir(d));) {
		snprintf(path, sizeof path, "/proc/%s/task/%s/comm", pid, e->d_name);
		FILE *f = fopen(path, "r");
		bool is = f && fgets(name, sizeof name, f) &&
			  (strcmp(name, "1_scheduler\n") == 0 || strcmp(name, "erts_sched_1\n") == 0);
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

int
main(int argc, char **argv)
{
	if (argc != 5)
		give_up("PID LIBRARY ENTRY EVENTS");
	uint64_t from, to, entry = strtoull(argv[3], NULL, 16);
	unsigned events = (unsigned)atoi(argv[4]), seen = 0, done = 0;
	unsigned long inside = 0, least = 0, atomic = 0, least_atomic = 0;
	int status;
	find_library(argv[1], argv[2], &from, &to);
	const unsigned char *code = code_of((pid_t)atoi(argv[1]), from, to);
	pid_t tid = first_scheduler(argv[1]);
	if (ptrace(PTRACE_SEIZE, tid, 0, 0) != 0 || ptrace(PTRACE_INTERRUPT, tid, 0, 0) != 0)
		return 67; /* not allowed here */
	if (waitpid(tid, &status, __WALL) != tid)
		give_up("the thread does not stop");
	/* Both wait for a processor at each step, which takes ages on a busy machine. Where this is not allowed, it
	 * does. */
	setpriority(PRIO_PROCESS, 0, -20);
	setpriority(PRIO_PROCESS, (id_t)tid, -20);
	time_t until = time(NULL) + MOST_SECONDS; /* the VM may have other work to do in between */
	for (unsigned long n = 0; done < OPERATIONS && (n % LOOK || time(NULL) < until); n++) {
		struct user_regs_struct r;
		if (ptrace(PTRACE_GETREGS, tid, 0, &r) != 0)
			give_up("the thread has no registers");
		if (r.rip == from + entry && seen++ % events == 0) {
			if (seen > 1 && (!done++ || inside < least)) {
				least = inside;
				least_atomic = atomic;
			}
			inside = atomic = 0;
		}
		if (r.rip >= from && r.rip < to) {
			inside++;
			atomic += is_atomic(code + (r.rip - from));
		}
		if (ptrace(PTRACE_SINGLESTEP, tid, 0, 0) != 0 || waitpid(tid, &status, __WALL) != tid ||
		    !WIFSTOPPED(status))
			give_up("the thread does not step");
	}
	ptrace(PTRACE_DETACH, tid, 0, 0);
	if (done < OPERATIONS)
		give_up("there are no events");
	printf("%lu %lu\n", least, least_atomic);
	return 0;
}
#endif
