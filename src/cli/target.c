/*
 * The processes of -c and -p.
 *
 * A command is forked before the programs are compiled, because $target is its process id. It waits on a pipe until
 * tracing is on. If that never happens, the pipe is closed and the child ends without having run anything. A thread
 * watches the processes and wakes the handle when one has ended.
 *
 * If a program asks for probes inside a command (pid$target), the command must be loaded for them to be found. The
 * child executes it under ptrace and stops at the entry of the program, after the dynamic linker and before main. With
 * option evaltime=exec it stops where the program begins, before the dynamic linker has run.
 */
#include "cli/cli.h"

#include "arch/arch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GATE_GO, GATE_TRACED }; /* what is written to a gate */
enum { POLL_MS = 20 };         /* how often to look at processes that have no pidfd */

struct target_watch {
	pthread_t thread;
	struct et *h;
	int stop[2]; /* a pipe: closed to end the thread */
	unsigned n;
	struct pollfd *fds; /* n processes and then `stop` */
	pid_t *pids;        /* 0 if it ended or has a pidfd */
};

/* Splits the words of -c at blanks; quotes and backslashes keep them together. Returns NULL with `*why`. */
static char **
split(const char *s, char **heap, const char **why)
{
	size_t len = strlen(s);
	char **argv = calloc(len / 2 + 2, sizeof(char *));
	char *to = *heap = malloc(len + 2);
	*why = "out of memory";
	if (!argv || !to) {
		free(argv);
		return NULL;
	}
	unsigned n = 0;
	char quote = 0;
	while (!quote) {
		s += strspn(s, " \f\n\r\t\v\b");
		if (!*s)
			break;
		argv[n++] = to;
		for (; *s && (quote || !strchr(" \f\n\r\t\v\b", *s)); s++) {
			if (*s == quote)
				quote = 0;
			else if (!quote && (*s == '\'' || *s == '"'))
				quote = *s;
			else {
				if (*s == '\\' && quote != '\'' && s[1])
					s++;
				*to++ = *s;
			}
		}
		*to++ = '\0';
	}
	if (n && !quote)
		return argv;
	*why = quote ? "a quote has no end" : "no command given";
	free(argv);
	return NULL;
}

/* Returns whether exec would find it; if not, with errno. */
static bool
can_execute(const char *name)
{
	if (strchr(name, '/'))
		return access(name, X_OK) == 0;
	const char *path = getenv("PATH");
	int err = ENOENT;
	for (const char *p = path ? path : "/usr/local/bin:/usr/bin:/bin"; p;) {
		const char *colon = strchr(p, ':');
		int len = colon ? (int)(colon - p) : (int)strlen(p);
		char full[4096];
		int n = snprintf(full, sizeof full, "%.*s%s%s", len, p, len ? "/" : "", name);
		if (n > 0 && (size_t)n < sizeof full) {
			if (access(full, X_OK) == 0)
				return true;
			if (errno == EACCES)
				err = EACCES;
		}
		p = colon ? colon + 1 : NULL;
	}
	errno = err;
	return false;
}

/* Options setenv and unsetenv: lines of NAME=value and NAME. */
static void
change_environment(char *set, char *unset)
{
	char *save;
	for (char *s = set ? strtok_r(set, "\n", &save) : NULL; s; s = strtok_r(NULL, "\n", &save)) {
		char *eq = strchr(s, '=');
		if (eq)
			*eq = '\0';
		setenv(s, eq ? eq + 1 : "", 1);
	}
	for (char *s = unset ? strtok_r(unset, "\n", &save) : NULL; s; s = strtok_r(NULL, "\n", &save))
		unsetenv(s);
}

_Noreturn static void
become_command(char **argv, bool is_erlang, int gate, int result, char *set, char *unset)
{
	char byte;
	signal(SIGPIPE, SIG_DFL);
	change_environment(set, unset);
	if (is_erlang)
		cli_erlang_environment(argv);
	while (!is_erlang && read(gate, &byte, 1) != 1)
		if (errno != EINTR)
			_exit(127);
	if (!is_erlang && byte == GATE_TRACED && ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		_exit(127);
	execvp(argv[0], argv);
	int err = errno;
	if (write(result, &err, sizeof err) < 0)
		_exit(126);
	_exit(127);
}

static int
start_command(struct cli *c, struct cli_target *t)
{
	const char *why;
	char *heap = NULL, **argv = split(t->arg, &heap, &why);
	if (!argv) {
		cli_error(c, *t->arg ? "-c %s: %s" : "-c%s: %s", t->arg, why);
		free(heap);
		return EXIT_ERROR;
	}
	t->is_erlang = t->is_held = !c->node && t == c->targets && cli_is_erlang(argv[0]) && !cli_stays_in_kernel(c);
	int gate[2] = {-1, -1}, result[2] = {-1, -1};
	const char *set = NULL, *unset = NULL;
	et_getopt(c->h, "setenv", NULL, &set);
	et_getopt(c->h, "unsetenv", NULL, &unset);
	char *set2 = set ? strdup(set) : NULL, *unset2 = unset ? strdup(unset) : NULL;
	bool ok = can_execute(argv[0]) && pipe2(gate, O_CLOEXEC) == 0 && pipe2(result, O_CLOEXEC) == 0;
	if (ok) {
		fflush(NULL);
		t->pid = fork();
		if (t->pid == 0) {
			close(gate[1]);
			become_command(argv, t->is_erlang, gate[0], result[1], set2, unset2);
		}
		ok = t->pid > 0;
	}
	int err = errno;
	if (ok) {
		t->gate = gate[1];
		t->result = result[0];
		gate[1] = result[0] = -1;
	} else
		cli_error(c, "failed to execute %s: %s", argv[0], strerror(err));
	for (unsigned i = 0; i < 2; i++) {
		if (gate[i] >= 0)
			close(gate[i]);
		if (result[i] >= 0)
			close(result[i]);
	}
	free(argv);
	free(heap);
	free(set2);
	free(unset2);
	return ok ? 0 : EXIT_ERROR;
}

static int
grab(struct cli *c, struct cli_target *t)
{
	errno = 0;
	long pid = strtol(t->arg, NULL, 10);
	if (errno || pid <= 0 || pid > INT32_MAX) {
		cli_error(c, "invalid pid: %s", t->arg);
		return EXIT_ERROR;
	}
	t->pid = (pid_t)pid;
	if (kill(t->pid, 0) != 0 && errno != EPERM) {
		cli_error(c, "failed to grab pid %ld: %s", pid, strerror(errno));
		return EXIT_ERROR;
	}
	return 0;
}

/* ---- loading ---- */

/* Returns where the program begins once the dynamic linker has done its work, or 0 if unknown. */
static uint64_t
entry_of(pid_t pid)
{
	char path[64];
	Elf64_auxv_t v;
	uint64_t entry = 0;
	snprintf(path, sizeof path, "/proc/%d/auxv", (int)pid);
	FILE *f = fopen(path, "re");
	while (f && fread(&v, sizeof v, 1, f) == 1)
		if (v.a_type == AT_ENTRY)
			entry = v.a_un.a_val;
	if (f)
		fclose(f);
	return entry;
}

/* Waits for the next stop of the process. Returns its signal, or 0 if the process has ended. */
static int
next_stop(pid_t pid)
{
	int status;
	while (waitpid(pid, &status, WUNTRACED) != pid)
		if (errno != EINTR)
			return 0;
	return WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
}

/* Runs from the first instruction of the dynamic linker to that of the program. */
static bool
run_to_entry(pid_t pid)
{
	struct user_regs_struct regs;
	struct iovec v = {&regs, sizeof regs};
	uint64_t entry = entry_of(pid);
	errno = 0;
	long word = ptrace(PTRACE_PEEKTEXT, pid, (void *)(uintptr_t)entry, NULL);
	if (!entry || errno)
		return true; /* it stays there */
	long trap = (long)(((unsigned long)word & ~ARCH_TRAP_MASK) | ARCH_TRAP);
	if (ptrace(PTRACE_POKETEXT, pid, (void *)(uintptr_t)entry, trap) != 0)
		return true;
	for (int sig = 0;;) {
		if (ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)sig) != 0 || (sig = next_stop(pid)) == 0)
			return false;
		if (ptrace(PTRACE_GETREGSET, pid, (void *)(intptr_t)NT_PRSTATUS, &v) != 0)
			return false;
		if (sig == SIGTRAP && ARCH_USER_PC(regs) == entry + ARCH_TRAP_AFTER)
			break;
	}
	ARCH_USER_PC(regs) = entry;
	return ptrace(PTRACE_POKETEXT, pid, (void *)(uintptr_t)entry, word) == 0 &&
	       ptrace(PTRACE_SETREGSET, pid, (void *)(intptr_t)NT_PRSTATUS, &v) == 0;
}

/* et_target_f: runs a waiting command up to its program's entry, with all libraries loaded. */
static void
target_load(void *arg, int64_t pid)
{
	struct cli *c = arg;
	const char *when = NULL;
	struct cli_target *t = NULL;
	for (unsigned i = 0; i < c->ntargets; i++)
		if (c->targets[i].pid == pid)
			t = &c->targets[i];
	if (!t || !t->is_command || t->is_erlang || t->gate < 0)
		return;
	char byte = GATE_TRACED;
	bool told = write(t->gate, &byte, 1) == 1;
	close(t->gate);
	t->gate = -1;
	t->is_held = t->is_loaded = true;
	if (!told || next_stop(t->pid) == 0) {
		t->is_held = t->is_loaded = false;
		if (read(t->result, &t->load_err, sizeof t->load_err) != (ssize_t)sizeof t->load_err)
			t->load_err = ECHILD;
		return;
	}
	/* If we are killed, it is killed too. */
	ptrace(PTRACE_SETOPTIONS, t->pid, NULL, (void *)(intptr_t)PTRACE_O_EXITKILL);
	et_getopt(c->h, "evaltime", NULL, &when);
	if ((!when || strcmp(when, "exec") != 0) && !run_to_entry(t->pid))
		t->is_held = t->is_loaded = false; /* it ended on the way */
}

static void
open_pidfd(struct cli_target *t)
{
	t->pidfd = (int)syscall(SYS_pidfd_open, t->pid, 0);
	if (t->pidfd >= 0)
		fcntl(t->pidfd, F_SETFD, FD_CLOEXEC);
}

static int
set_target(struct cli *c)
{
	if (c->ntargets && et_set_target(c->h, c->targets[0].pid) != 0) {
		cli_lib_error(c, "failed to set $target");
		return EXIT_ERROR;
	}
	return 0;
}

int
cli_targets_open(struct cli *c)
{
	for (unsigned i = 0; i < c->ntargets; i++) {
		struct cli_target *t = &c->targets[i];
		int err = t->is_command ? start_command(c, t) : grab(c, t);
		if (err)
			return err;
		open_pidfd(t);
	}
	et_handle_target(c->h, target_load, c);
	return set_target(c);
}

int
cli_target_is(struct cli *c, struct cli_target *t, pid_t pid)
{
	if (t->pidfd >= 0)
		close(t->pidfd);
	t->pid = pid;
	open_pidfd(t);
	return set_target(c);
}

/* A zombie has ended. For a process that is not our child, only the pidfd tells. */
static bool
has_ended(pid_t pid, int pidfd)
{
	struct pollfd p = {.fd = pidfd, .events = POLLIN};
	if (pidfd >= 0)
		return poll(&p, 1, 0) > 0;
	siginfo_t info = {0};
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
		return info.si_pid == pid;
	return kill(pid, 0) != 0 && errno == ESRCH;
}

static void *
watch(void *arg)
{
	struct target_watch *w = arg;
	for (;;) {
		bool look = false;
		for (unsigned i = 0; i < w->n; i++)
			look |= w->pids[i] != 0;
		poll(w->fds, w->n + 1, look ? POLL_MS : -1);
		if (w->fds[w->n].revents)
			return NULL;
		bool ended = false;
		for (unsigned i = 0; i < w->n; i++) {
			if (w->pids[i] ? has_ended(w->pids[i], -1) : w->fds[i].fd >= 0 && w->fds[i].revents) {
				w->pids[i] = 0;
				w->fds[i].fd = -1;
				ended = true;
			}
		}
		if (ended)
			et_wake(w->h);
	}
}

static bool
watch_start(struct cli *c)
{
	struct target_watch *w = calloc(1, sizeof *w);
	if (!w)
		return false;
	*w = (struct target_watch){.h = c->h, .stop = {-1, -1}, .n = c->ntargets};
	c->watch = w;
	w->fds = calloc(w->n + 1, sizeof *w->fds);
	w->pids = calloc(w->n, sizeof *w->pids);
	if (!w->fds || !w->pids || pipe2(w->stop, O_CLOEXEC) != 0)
		return false;
	for (unsigned i = 0; i < w->n; i++) {
		w->fds[i] = (struct pollfd){.fd = c->targets[i].pidfd, .events = POLLIN};
		w->pids[i] = c->targets[i].pidfd < 0 ? c->targets[i].pid : 0;
	}
	w->fds[w->n] = (struct pollfd){.fd = w->stop[0], .events = POLLIN};
	/* Signals are for the main thread. */
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int err = pthread_create(&w->thread, NULL, watch, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err) {
		close(w->stop[0]);
		close(w->stop[1]);
		w->stop[0] = w->stop[1] = -1;
	}
	return err == 0;
}

int
cli_targets_go(struct cli *c)
{
	if (!c->ntargets)
		return 0;
	if (!watch_start(c)) {
		cli_error(c, "failed to watch the processes: %s", strerror(errno ? errno : ENOMEM));
		return EXIT_ERROR;
	}
	for (unsigned i = 0; i < c->ntargets; i++) {
		struct cli_target *t = &c->targets[i];
		if (t->load_err) {
			cli_error(c, "failed to execute %s: %s", t->arg, strerror(t->load_err));
			return EXIT_ERROR;
		}
		if (t->is_loaded && ptrace(PTRACE_DETACH, t->pid, NULL, NULL) == 0)
			t->is_held = false;
		if (t->gate < 0)
			continue;
		int err = 0;
		bool open = write(t->gate, "", 1) == 1;
		close(t->gate);
		t->gate = -1;
		/* If exec succeeded it closed the other end, and nothing comes. */
		if (open && read(t->result, &err, sizeof err) == (ssize_t)sizeof err) {
			cli_error(c, "failed to execute %s: %s", t->arg, strerror(err));
			return EXIT_ERROR;
		}
		t->is_held = false;
	}
	return 0;
}

static void
say_gone(struct cli *c, struct cli_target *t)
{
	int status = 0;
	bool known = t->is_command && waitpid(t->pid, &status, 0) == t->pid;
	if (known && WIFSIGNALED(status))
		cli_notice(c, "pid %d terminated by signal %d (%s)", (int)t->pid, WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
	else if (known && WEXITSTATUS(status) != 0)
		cli_notice(c, "pid %d exited with status %d", (int)t->pid, WEXITSTATUS(status));
	else
		cli_notice(c, "pid %d has exited", (int)t->pid);
}

bool
cli_targets_gone(struct cli *c)
{
	bool all = true;
	for (unsigned i = 0; i < c->ntargets; i++) {
		struct cli_target *t = &c->targets[i];
		if (!t->gone && has_ended(t->pid, t->pidfd)) {
			t->gone = true;
			say_gone(c, t);
		}
		all &= t->gone;
	}
	return all;
}

void
cli_targets_close(struct cli *c)
{
	struct target_watch *w = c->watch;
	if (w) {
		if (w->stop[1] >= 0) {
			close(w->stop[1]);
			pthread_join(w->thread, NULL);
			close(w->stop[0]);
		}
		free(w->fds);
		free(w->pids);
		free(w);
		c->watch = NULL;
	}
	/* All gates come first, because a later command holds copies of those of the earlier ones. */
	for (unsigned i = 0; i < c->ntargets; i++)
		if (c->targets[i].gate >= 0)
			close(c->targets[i].gate);
	for (unsigned i = 0; i < c->ntargets; i++) {
		struct cli_target *t = &c->targets[i];
		if (t->is_held && t->pid > 0)
			kill(t->pid, SIGKILL); /* its own work has not begun */
		if ((t->gate >= 0 || (t->is_held && t->is_loaded)) && t->pid > 0)
			waitpid(t->pid, NULL, 0);
		if (t->result >= 0)
			close(t->result);
		if (t->pidfd >= 0)
			close(t->pidfd);
	}
}
