/*
 * steps PID LIBRARY ENTRY EVENTS: counts the machine instructions that a library takes for one operation in a running
 * VM.
 *
 * The thread of the VM's first scheduler is executed step by step. ENTRY (hexadecimal) is the address in the library of
 * a function that is called EVENTS times for each operation. Prints the least that some operations took inside the
 * library: an event now and then does more, because it is measured or because a table has changed.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <dirent.h>

#if !defined(__x86_64__)
int
main(void)
{
	return 67;
}
#else

enum { OPERATIONS = 8, MOST_STEPS = 2000000 };

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

int
main(int argc, char **argv)
{
	if (argc != 5)
		give_up("PID LIBRARY ENTRY EVENTS");
	uint64_t from, to, entry = strtoull(argv[3], NULL, 16);
	unsigned events = (unsigned)atoi(argv[4]), seen = 0, done = 0;
	unsigned long inside = 0, least = 0;
	int status;
	find_library(argv[1], argv[2], &from, &to);
	pid_t tid = first_scheduler(argv[1]);
	if (ptrace(PTRACE_SEIZE, tid, 0, 0) != 0 || ptrace(PTRACE_INTERRUPT, tid, 0, 0) != 0)
		return 67; /* not allowed here */
	if (waitpid(tid, &status, __WALL) != tid)
		give_up("the thread does not stop");
	for (unsigned long n = 0; n < MOST_STEPS && done < OPERATIONS; n++) {
		struct user_regs_struct r;
		if (ptrace(PTRACE_GETREGS, tid, 0, &r) != 0)
			give_up("the thread has no registers");
		if (r.rip == from + entry && seen++ % events == 0) {
			if (seen > 1) {
				least = !done || inside < least ? inside : least;
				done++;
			}
			inside = 0;
		}
		inside += r.rip >= from && r.rip < to;
		if (ptrace(PTRACE_SINGLESTEP, tid, 0, 0) != 0 || waitpid(tid, &status, __WALL) != tid ||
		    !WIFSTOPPED(status))
			give_up("the thread does not step");
	}
	ptrace(PTRACE_DETACH, tid, 0, 0);
	if (done < OPERATIONS)
		give_up("there are no events");
	printf("%lu\n", least);
	return 0;
}
#endif
