/* Tracing: go, consume until it is over, print the aggregations. */
#include "base/clock.h"
#include "base/files.h"
#include "cli/cli.h"
#include "cli/live.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Signal handlers have no argument. These variables are set before the handlers are installed. */
static struct et *volatile signal_handle;
static volatile sig_atomic_t interrupts, first_signal;
static volatile sig_atomic_t is_starting;

enum { NSIGS = 3 };
static const int sigs[NSIGS] = {SIGINT, SIGTERM, SIGHUP};

static void
end_now(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);
}

/*
 * Until tracing is on nobody checks whether it should end. Loading programs and touching memory take their time, and in
 * the kernel they cannot be interrupted. After this time the process ends, as it does on a second signal. What was
 * loaded disappears with the process.
 */
enum { START_SECONDS = 1 };

static void
on_alarm(int sig)
{
	(void)sig;
	if (is_starting)
		end_now(first_signal);
}

static void
on_signal(int sig)
{
	if (interrupts++) {
		/* The user is impatient. */
		screen_panic();
		end_now(sig);
		return;
	}
	first_signal = sig;
	if (is_starting)
		alarm(START_SECONDS);
	et_interrupt(signal_handle);
}

/* If we were started with a signal ignored (nohup, a shell's background job), it stays ignored. */
static void
catch_signals(struct et *h)
{
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_NODEFER}, before;
	sigemptyset(&act.sa_mask);
	signal_handle = h;
	is_starting = 1;
	signal(SIGALRM, on_alarm);
	for (unsigned i = 0; i < NSIGS; i++)
		if (sigaction(sigs[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(sigs[i], &act, NULL);
}

/* The command is about to end. A caller that sends the signal twice at once (timeout(1) does) must not get another
 * exit status for it. */
static void
release_signals(void)
{
	void (*then)(int) = interrupts ? SIG_IGN : SIG_DFL;
	signal(SIGINT, then);
	signal(SIGTERM, then);
	signal(SIGHUP, then);
	signal(SIGALRM, SIG_DFL);
	signal(SIGRTMIN, SIG_IGN); /* the timer of --for may still fire after the end */
}

/* From now on signals are checked. */
static void
is_on(void)
{
	is_starting = 0;
	alarm(0);
}

/* A node that is stopped, or too busy to answer, must not hold the command. A signal ends attaching, with a message,
 * and then the command, as it does anywhere before tracing is on. */
int
cli_attach(struct cli *c)
{
	struct sigaction before[NSIGS];
	for (unsigned i = 0; i < NSIGS; i++)
		sigaction(sigs[i], NULL, &before[i]);
	catch_signals(c->h);
	int rc = cli_connect(c, c->h);
	if (rc != 0 && interrupts)
		cli_lib_error(c, NULL);
	if (interrupts)
		end_now(first_signal);
	is_on();
	for (unsigned i = 0; i < NSIGS; i++)
		sigaction(sigs[i], &before[i], NULL);
	return rc;
}

static void
show(const struct cli *c, const char *msg)
{
	size_t len = strlen(msg);
	while (len && msg[len - 1] == '\n')
		len--;
	cli_error(c, "%.*s", (int)len, msg);
}

static enum et_handle
on_error(const struct et_errdata *e, void *arg)
{
	if (!cli_on_call_error(arg, e))
		show(arg, e->msg);
	return ET_HANDLE_OK;
}

static enum et_handle
on_drop(const struct et_dropdata *d, void *arg)
{
	struct cli *c = arg;
	show(c, d->msg);
	c->cut_short |= d->kind == ET_DROP_OVERHEAD || d->kind == ET_DROP_NODE;
	return ET_HANDLE_OK;
}

static enum et_handle
on_setopt(const struct et_setoptdata *d, void *arg)
{
	struct cli *c = arg;
	if (strcmp(d->option, "quiet") == 0) {
		int64_t quiet = 0;
		et_getopt(c->h, "quiet", &quiet, NULL);
		c->quiet = quiet != 0;
	}
	return ET_HANDLE_OK;
}

/* Returns 0 to go on, otherwise the exit status plus one. If nobody reads the output any more, that is not an error. */
static int
failed(struct cli *c, const char *what)
{
	if (et_errno(c->h) == ET_EWRITE && c->out == stdout && cli_output_gone(c))
		return EXIT_OK + 1;
	cli_lib_error(c, "%s", what);
	return EXIT_ERROR + 1;
}

/* The same, when a view could not be drawn. */
static int
not_drawn(struct cli *c)
{
	int err = errno;
	if (!ferror(c->out))
		return failed(c, "failed to show what has come");
	if (cli_output_gone(c))
		return EXIT_OK + 1;
	cli_error(c, "failed to write the output: %s", strerror(err));
	return EXIT_ERROR + 1;
}

/* Ctrl-C also interrupts what is being written, to a terminal that waits or a pipe that is full. */
static bool
was_interrupted(struct cli *c)
{
	bool is = interrupts && errno == EINTR && ferror(c->out);
	if (is)
		clearerr(c->out);
	return is;
}

/* Returns whether the processes of -c and -p have ended or are just ending. */
static bool
targets_end(struct cli *c)
{
	bool gone = c->ntargets && cli_targets_gone(c);
	for (int i = 0; c->ntargets && !gone && i < 20; i++) {
		nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
		gone = cli_targets_gone(c);
	}
	return gone;
}

static void
on_time(int sig)
{
	(void)sig;
	et_interrupt(signal_handle);
}

/* --for: tracing ends after that time, as if by exit(0). */
static bool
set_end(struct cli *c)
{
	struct sigaction act = {.sa_handler = on_time, .sa_flags = SA_RESTART};
	struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
	struct itimerspec when = {.it_value = {(time_t)(c->last_for / 1000000000u), (long)(c->last_for % 1000000000u)}};
	timer_t timer;
	if (!c->last_for)
		return true;
	sigemptyset(&act.sa_mask);
	if (sigaction(SIGRTMIN, &act, NULL) == 0 && timer_create(CLOCK_MONOTONIC, &ev, &timer) == 0 &&
	    timer_settime(timer, 0, &when, NULL) == 0)
		return true;
	cli_error(c, "--for: no timer: %s", strerror(errno));
	return false;
}

/* With -v: shows what tracing costs the node, every five seconds and at the end. */
static void
show_cost(struct cli *c, bool last)
{
	static uint64_t before, spent; /* ns */
	struct et_cost cost;
	if (!c->verbose || !c->node)
		return;
	uint64_t now = mono_ns();
	double seconds = (double)(now - before) / 1e9;
	if ((before && seconds < (last ? 0.5 : 5)) || et_cost(c->h, &cost) != 0 || !cost.known)
		return;
	if (before && cost.spent >= spent)
		cli_error(c, "tracing takes about %.1f%% of a scheduler, all schedulers together; so far %.3f s",
		    (double)(cost.spent - spent) / seconds / 1e7, (double)cost.spent / 1e9);
	before = now;
	spent = cost.spent;
}

/* For pictures and live views. */
static bool
gather(struct cli *c, bool snap)
{
	return cli_picture_take(c, snap) && cli_live_take(c, snap);
}

/* A script may clear its aggregations. */
static void
on_clear(void *cli)
{
	struct cli *c = cli;
	c->not_gathered |= !gather(c, false);
}

/* Consumes until tracing is over. Returns 0, or the exit status plus one. */
static int
consume(struct cli *c)
{
	bool newline = false, stopped = false;
	for (;;) {
		show_cost(c, false);
		if (!cli_live_wait(c) && !was_interrupted(c))
			return not_drawn(c);
		if (interrupts && !newline && !c->live) {
			/* The next output must not stand behind the terminal's ^C. */
			newline = true;
			if (!c->output)
				fputc('\n', c->out);
		}
		if (!stopped && c->ntargets && cli_targets_gone(c)) {
			stopped = true;
			if (et_stop(c->h) != 0)
				return failed(c, "couldn't stop tracing");
		}
		/* JSON lines are counted only in the engine */
		bool counted = c->calls && !c->output;
		et_rec_cb *on_record = c->pairs ? cli_on_pair : counted ? cli_on_call : NULL;
		enum et_workstatus s = et_work(c->h, cli_live_out(c), NULL, on_record, c);
		if (s != ET_WORKSTATUS_ERROR && (c->not_gathered || !gather(c, true)))
			return failed(c, "failed to gather the picture");
		if (s == ET_WORKSTATUS_ERROR && et_errno(c->h) == ET_EENGINE && targets_end(c))
			return 0; /* the node was the process */
		if (s == ET_WORKSTATUS_ERROR)
			return failed(c, "processing aborted");
		if (fflush(c->out) == EOF && cli_output_gone(c))
			return EXIT_OK + 1;
		if (s == ET_WORKSTATUS_DONE) {
			show_cost(c, true);
			return 0;
		}
	}
}

/* Option cpu: everything fires on that CPU. The threads of probes inherit it; commands of -c run already. */
static bool
keep_to_cpu(struct cli *c)
{
	int64_t cpu = -1;
	et_getopt(c->h, "cpu", &cpu, NULL);
	if (cpu < 0)
		return true;
	cpu_set_t one;
	CPU_ZERO(&one);
	if (cpu < CPU_SETSIZE)
		CPU_SET((size_t)cpu, &one);
	if (sched_setaffinity(0, sizeof one, &one) == 0)
		return true;
	cli_error(c, "could not enable tracing on CPU %lld: %s", (long long)cpu,
	    errno == EINVAL ? "there is no such CPU" : strerror(errno));
	return false;
}

int
cli_run(struct cli *c)
{
	if (!keep_to_cpu(c))
		return EXIT_ERROR;
	/* Each probe may need a descriptor or two. Commands of -c run already, with their own limit. */
	files_allow(RLIM_INFINITY);
	et_handle_err(c->h, on_error, c);
	et_handle_drop(c->h, on_drop, c);
	et_handle_setopt(c->h, on_setopt, c);
	et_handle_clear(c->h, on_clear, c);
	if (!cli_alerts_open(c))
		return EXIT_ERROR;
	cli_say_reach(c);
	int unwritable = cli_picture_open(c);
	if (unwritable)
		return unwritable;
	catch_signals(c->h);
	int went = et_go(c->h);
	is_on();
	if (went != 0) {
		release_signals();
		/* The kernel stops loading when a signal comes. */
		if (interrupts)
			cli_error(c, "interrupted before tracing was on");
		else
			cli_lib_error(c, "could not enable tracing");
		return EXIT_ERROR;
	}
	int64_t destructive = 0;
	et_getopt(c->h, "destructive", &destructive, NULL);
	if (destructive)
		cli_notice(c, "allowing destructive actions");
	/* BEGIN called exit(): nothing else could fire */
	bool began_over = et_status(c->h) == ET_STATUS_EXITED;
	int err = cli_targets_go(c);
	if (err) {
		release_signals();
		return err;
	}
	if (cli_live_open(c) != 0) {
		release_signals();
		return EXIT_ERROR;
	}
	int ended = set_end(c) ? consume(c) : EXIT_ERROR + 1;
	/* what came before the connection was lost is still shown */
	int shown = cli_live_end(c, !ended || et_errno(c->h) == ET_EENGINE);
	if (shown && !ended)
		ended = shown + 1;
	if (!c->live && (!ended || et_errno(c->h) == ET_EENGINE)) {
		if (!c->output && !c->calls)
			fputc('\n', c->out);
		if (c->pairs && !cli_pairs_show(c)) {
			cli_error(c, "out of memory");
			ended = EXIT_ERROR + 1;
		}
		if (et_aggregate_print(c->h, c->out, NULL, NULL) != 0)
			ended = failed(c, "failed to print aggregations");
		int drawn = cli_picture_write(c);
		if (drawn && !ended)
			ended = drawn + 1;
	}
	release_signals();
	if (ended)
		return ended - 1;
	if (!began_over)
		cli_say_unfired(c);
	if (c->cut_short)
		return EXIT_ERROR;
	return et_exit_status(c->h) & 0xff; /* 0 without exit(); END may call it after a signal, too */
}
