/*
 * -c and -p if the process is an Erlang node: finds its name, so that the command can attach to it.
 *
 * A node that -c starts must be distributed. One without a name gets one through ERL_AFLAGS, together with an
 * expression that holds it until tracing is on (the agent lets it go). The expression first removes itself from the
 * environment, because nodes that this one starts are not ours. The cookie is the user's own, because a cookie on a
 * command line would not be secret.
 */
#include "base/clock.h"
#include "base/sbuf.h"
#include "cli/cli.h"
#include "node/beam.h"
#include "node/local.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { START_MS = 60000 };

static const char variable[] = "ERL_AFLAGS";
static const char wait_for_go[] = "receive{go}->[]after(60000)->[]end,unregister(erltrace_start)";

bool
cli_is_erlang(const char *command)
{
	static const char *const names[] = {"erl", "iex", "elixir", "mix", "rebar3", "beam.smp", "werl", NULL};
	const char *base = strrchr(command, '/');
	base = base ? base + 1 : command;
	for (unsigned i = 0; names[i]; i++)
		if (strcmp(base, names[i]) == 0)
			return true;
	return false;
}

/* Writes a string as Erlang's list of bytes: quotes would be lost in the shell scripts that start nodes. */
static void
put_list(FILE *f, const char *text)
{
	for (const char *c = text; *c; c++)
		fprintf(f, "%c%u", c == text ? '[' : ',', (unsigned char)*c);
	fputs(*text ? "]" : "[]", f);
}

static void
put_flags(FILE *f, bool named, const char *before)
{
	if (!named)
		fprintf(f, "-sname erl_target_%d ", (int)getpid());
	/* registered first: the agent recognises a held node by this name or by the variable */
	fputs("-eval register(erltrace_start,self()),", f);
	fputs(before ? "os:putenv(" : "os:unsetenv(", f);
	put_list(f, variable);
	if (before) {
		fputs(",unicode:characters_to_list(list_to_binary(", f);
		put_list(f, before);
		fputs("))", f);
	}
	fprintf(f, "),%s %s", wait_for_go, before ? before : "");
}

void
cli_erlang_environment(char *const *argv)
{
	bool named = false;
	for (; *argv; argv++)
		named |= beam_is_name_option(*argv);
	char *flags = NULL;
	size_t size;
	FILE *f = open_memstream(&flags, &size);
	if (!f)
		return;
	put_flags(f, named, getenv(variable));
	if (fclose(f) == 0)
		setenv(variable, flags, 1);
	free(flags);
}

/* -- the node of a process ------------------------------------------------------------------------------------------
 */

int
cli_connect(const struct cli *c, struct et *h)
{
	if (c->dist_opts && et_setopt(h, "distopts", c->dist_opts) != 0)
		return -1;
	if (c->join && et_setopt(h, "join", c->hidden ? "hidden" : "visible") != 0)
		return -1;
	return c->node ? et_attach_nodes(h, c->nodes, c->nnodes, c->cookie)
		       : et_attach_pid(h, c->targets[0].pid, c->cookie);
}

/* It is our child, so it stays a zombie until it is waited for. */
static bool
has_ended(const struct cli_target *t)
{
	siginfo_t info = {0};
	return waitid(P_PID, (id_t)t->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == t->pid;
}

/* Waits until the node that -c has started answers. */
static int
attach_when_up(struct cli *c, const struct cli_target *t)
{
	int rc = -1;
	uint64_t end = mono_ms() + START_MS;
	while (rc != 0 && mono_ms() < end) {
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
		beam_name(t->pid, c->found_node, sizeof c->found_node);
		if (has_ended(t))
			break;
		if (c->found_node[0])
			rc = cli_connect(c, c->h);
	}
	return rc;
}

/* Reads a script that can be read again by the compiler; on the heap, or NULL: also for an object. */
static char *
read_script(const char *path)
{
	struct sbuf b = {0};
	struct stat st;
	FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "re") : NULL;
	if (!f)
		return NULL;
	if (cli_is_object(f)) {
		fclose(f);
		return NULL;
	}
	sb_read(&b, f, (size_t)st.st_size);
	sb_addc(&b, '\0');
	fclose(f);
	return sb_take(&b);
}

static enum et_where
where_is(struct cli *c, struct et *h, const struct cli_prog *p)
{
	if (p->kind == PROG_TEXT)
		return et_program_where(h, p->arg, NULL, p->spec, c->cflags, c->nargs, c->args);
	char *text = p->kind == PROG_FILE ? read_script(p->arg) : NULL;
	const char *at = p->kind == PROG_READY ? p->text : text;
	c->where_unsure |= !at;
	enum et_where where =
	    at ? et_program_where(h, at, p->arg, ET_PROBESPEC_NAME, c->cflags, c->nargs, c->args) : ET_WHERE_BOTH;
	free(text);
	return where;
}

/* Where the probes of all programs are. What cannot be read twice, and objects, may be anywhere. */
static enum et_where
where_all(struct cli *c)
{
	int err;
	struct et *h = c->where_known ? NULL : et_open(ET_VERSION, &err);
	for (unsigned i = 0; h && i < c->nprogs; i++)
		c->where |= where_is(c, h, &c->progs[i]);
	et_close(h);
	c->where_known = true;
	return c->where;
}

/* Returns whether the VM has USDT probes, which the kernel engine sees from outside. */
static bool
has_usdt(struct cli *c, pid_t pid)
{
	char name[32];
	snprintf(name, sizeof name, "erlang%d:::", (int)pid);
	return et_probe_iter(c->h, name, ET_PROBESPEC_NAME, NULL, NULL) > 0;
}

static enum et_engine
engine_of(struct cli *c)
{
	int64_t engine = ET_ENGINE_ANY;
	et_getopt(c->h, "engine", &engine, NULL);
	return (enum et_engine)engine;
}

bool
cli_stays_in_kernel(struct cli *c)
{
	return engine_of(c) == ET_ENGINE_KERNEL || where_all(c) == ET_WHERE_KERNEL;
}

/* Returns whether to look at the process only from the kernel: because of an option, or because nothing else is
 * possible. */
static bool
stays_outside(struct cli *c, pid_t pid)
{
	if (cli_stays_in_kernel(c))
		return true;
	if (c->found_node[0])
		return false;
	return !(where_all(c) & ET_WHERE_NODE) || (engine_of(c) == ET_ENGINE_ANY && has_usdt(c, pid));
}

/* Says what can be had without a name. */
static void
no_name(struct cli *c, pid_t pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
	cli_error(c,
	    "process %d is an Erlang VM without a node name%s: it cannot be attached to, so what needs its tracer (function "
	    "probes by Erlang's names, messages, scheduling) cannot be had. Start it with -sname NAME, or run "
	    "net_kernel:start([NAME, shortnames]) in it. Without a name, as root, from the kernel: stacks with its Erlang "
	    "functions, if the VM has the JIT (profile-97 /pid == $target/ with ustack()), system calls (syscall::: /pid == $target/) and functions of the VM "
	    "itself (pid$target:beam.smp:NAME:entry)%s",
	    (int)pid, access(path, R_OK) == 0 ? "" : ", as far as this user can see (root sees more)",
	    has_usdt(c, pid) ? ", and its USDT probes (-x engine=kernel)" : "; its VM was built without USDT probes");
}

/* The name of the process, as `ps` shows it. */
static void
process_name(pid_t pid, char *name, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
	FILE *f = fopen(path, "re");
	if (!f || !fgets(name, (int)size, f))
		snprintf(name, size, "?");
	name[strcspn(name, "\n")] = '\0';
	if (f)
		fclose(f);
}

/* What to say if the process is no VM, and which is meant cannot be known. */
static void
no_vm(struct cli *c, pid_t pid, const char *name, const pid_t *vms, unsigned n, unsigned stored)
{
	char list[512] = "";
	size_t len = 0;
	pid_t above = local_vm_above(pid);
	for (unsigned i = 0; i < stored && len < sizeof list; i++)
		len += (size_t)snprintf(list + len, sizeof list - len, "%s%d", i ? ", " : "", (int)vms[i]);
	if (n)
		cli_error(c, "process %d (%s) is no Erlang VM; below it are %u: choose one of them: -p %s%s", (int)pid,
		    name, n, list, n > stored ? " ..." : "");
	else if (above)
		cli_error(c, "process %d (%s) is no Erlang VM; it belongs to the VM %d: -p %d", (int)pid, name,
		    (int)above, (int)above);
	else
		cli_error(c,
		    "process %d (%s) is no Erlang VM, and none runs below it; erltrace -N lists the nodes of this machine, and `pgrep beam` finds the VMs",
		    (int)pid, name);
}

/* Waits for what has just been started: scripts and erlexec become a VM, others start one. Returns how many VMs run
 * below the process. */
static unsigned
wait_for_vm(pid_t pid, pid_t *vms, unsigned max)
{
	enum { SOON_MS = 2000, LOOK_MS = 20 };
	char name[64];
	for (;;) {
		unsigned n = local_vms_below(pid, vms, max);
		process_name(pid, name, sizeof name);
		bool will = cli_is_erlang(name) || strcmp(name, "erlexec") == 0 || strcmp(name, "escript") == 0;
		if (n || beam_is(pid) || beam_age(pid) > (will ? BEAM_YOUNG_MS : SOON_MS))
			return n;
		nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
	}
}

/* A container's first process, a script or a service that has started the VM stands for it. Returns 0 if the target is
 * a VM now or need not be one, or an exit status. */
static int
find_vm(struct cli *c, struct cli_target *t)
{
	enum { SHOWN = 8 };
	pid_t vms[SHOWN];
	char name[64];
	enum et_where where = cli_stays_in_kernel(c) ? ET_WHERE_KERNEL : where_all(c);
	if (!(where & ET_WHERE_NODE) || c->where_unsure)
		return 0;
	unsigned n = wait_for_vm(t->pid, vms, SHOWN);
	if (beam_is(t->pid))
		return 0;
	process_name(t->pid, name, sizeof name);
	if (n != 1) {
		if ((!n && where != ET_WHERE_NODE) || has_usdt(c, t->pid))
			return 0; /* compiling says what is wrong, if something is */
		no_vm(c, t->pid, name, vms, n, n < SHOWN ? n : SHOWN);
		return EXIT_ERROR;
	}
	cli_error(
	    c, "process %d (%s) is no Erlang VM; below it is %d, which is traced", (int)t->pid, name, (int)vms[0]);
	return cli_target_is(c, t, vms[0]);
}

int
cli_attach_target(struct cli *c)
{
	if (c->node || !c->ntargets)
		return 0;
	struct cli_target *t = &c->targets[0];
	if (t->is_erlang) {
		if (attach_when_up(c, t) == 0)
			return 0;
		if (c->found_node[0])
			cli_lib_error(c, NULL);
		else
			cli_error(c, "the node of '%s' did not come up", t->arg);
		return EXIT_ERROR;
	}
	if (t->is_command)
		return 0;
	int err = beam_is(t->pid) ? 0 : find_vm(c, t);
	if (err || !beam_is(t->pid))
		return err;
	bool answers = beam_name(t->pid, c->found_node, sizeof c->found_node);
	if (answers ? stays_outside(c, t->pid) : cli_stays_in_kernel(c))
		return 0;
	if (!answers) {
		cli_error(c,
		    "process %d could not be looked at within %d s: something of it is on a file system that does not answer",
		    (int)t->pid, BEAM_MS / 1000);
		return EXIT_ERROR;
	}
	if (!c->found_node[0]) {
		no_name(c, t->pid);
		return EXIT_ERROR;
	}
	if (cli_attach(c) == 0)
		return 0;
	cli_lib_error(c, NULL);
	return EXIT_ERROR;
}
