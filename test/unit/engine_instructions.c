/*
 * How many machine instructions a firing takes on the paths that are taken most, compared with the numbers below.
 * Unlike times these are the same on a busy machine, so that a test can hold them: it fails when one has grown by more
 * than a tenth. The numbers are those of the last release, or of a commit since then that made a path shorter, so that
 * what was won is not lost again. Whoever makes a release, or a path longer for a good reason, writes the new ones here
 * and says why in the commit.
 *
 * A child fires and is executed step by step (ptrace). The numbers are those of one compiler; with another they are
 * only shown.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../bench/programs.h"
#include "erltrace.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__clang__) && __GNUC__ == 12 && !defined(ET_TINY) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { IS_MEASURED = true };
#else
enum { IS_MEASURED = false };
#endif

/* The version that has these numbers. The test also fails if they were not looked at when it changed. */
#define VERSION "1.0.0"

enum { WARM = 1000, KEYS = 16, TRIES = 5 };

static const struct path {
	const char *name;
	void (*make)(struct as *a);
	unsigned instructions; /* with gcc 12 and -O2 */
} paths[] = {
    {"empty clause", make_empty, 162},
    {"@[arg0] = count()", make_count, 312},
    {"@[probename] = count()", make_count_by_name, 93},
    {"@[probename] = quantize(arg1)", make_quantize, 341},
    {"a[arg0] = arg1; a[arg0]", make_assoc, 362},
    {"self->x = arg1; self->x", make_self, 332},
    {"trace(arg0)", make_record, 569},
};

/* As in a VM, the caller holds the shard's lock and has a budget. */
static void
no_lock(void *arg, unsigned shard)
{
	(void)arg;
	(void)shard;
}

static bool
always(void *arg, unsigned shard)
{
	(void)arg;
	(void)shard;
	return true;
}

static bool
barrier(void *arg)
{
	(void)arg;
	return true;
}

static void
ignore(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	(void)arg, (void)agg, (void)key, (void)keylen, (void)words;
}

/* What the child does between two stops is counted: first nothing, then one firing. */
static void
child(const struct path *p)
{
	struct eng_conf c = as_conf();
	struct why why;
	unsigned probe;
	c.locks = (struct eng_locks){
	    .n = c.nshards, .lock = no_lock, .trylock = always, .unlock = no_lock, .barrier = barrier};
	c.bufsize = c.aggsize = c.dynvarsize = 1 << 20;
	struct engine *e = start_program(p->make, &c, &probe, &why);
	if (!e || ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
		_exit(1);
	struct eng_budget budget;
	struct firing f = {.probe = probe, .locked = true, .thread = 1, .nargs = 2, .budget = &budget};
	engine_user.snap(e, ignore, NULL); /* from here on firings need no barrier of their own */
	for (unsigned i = 0; i < WARM; i++) {
		f.args[0] = i % KEYS;
		f.args[1] = i + 1;
		eng_budget_init(&budget);
		engine_user.fire(e, &f);
	}
	raise(SIGSTOP);
	raise(SIGSTOP);
	engine_user.fire(e, &f);
	raise(SIGSTOP);
	_exit(0);
}

/* Steps until the child stops itself. Returns false if it does not. */
static bool
steps_to_stop(pid_t pid, unsigned *steps)
{
	for (unsigned n = 0; n < 1000000; n++) {
		int status;
		if (ptrace(PTRACE_SINGLESTEP, pid, 0, 0) != 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			return false;
		if (WSTOPSIG(status) == SIGSTOP) {
			*steps = n;
			return true;
		}
	}
	return false;
}

/* 0 if it cannot be counted here. */
static unsigned
count_once(const struct path *p)
{
	unsigned nothing = 0, something = 0;
	int status;
	pid_t pid = fork();
	if (pid == 0)
		child(p);
	assert_true(pid > 0);
	bool counted = waitpid(pid, &status, 0) == pid && WIFSTOPPED(status) && steps_to_stop(pid, &nothing) &&
		       steps_to_stop(pid, &something);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return counted ? something - nothing : 0;
}

/* The least of some: reading the clock takes longer when the kernel sets it meanwhile. */
static unsigned
instructions(const struct path *p)
{
	unsigned least = count_once(p);
	for (unsigned i = 1; i < TRIES && least; i++) {
		unsigned n = count_once(p);
		least = n < least ? n : least;
	}
	return least;
}

static void
no_path_has_grown(void **state)
{
	(void)state;
	bool grown = false;
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		unsigned n = instructions(&paths[i]), was = paths[i].instructions;
		if (!n) {
			print_message("a process cannot be traced here\n");
			skip();
		}
		bool has = IS_MEASURED && n > was + was / 10;
		print_message("%-34s %5u instructions, %u when last written down%s\n", paths[i].name, n, was,
		    has ? ": more than a tenth more" : "");
		grown |= has;
	}
	if (!IS_MEASURED) {
		print_message("the numbers are of gcc 12 with -O2 on x86-64, and this is another\n");
		skip();
	}
	assert_false(grown);
}

static void
numbers_are_of_this_version(void **state)
{
	(void)state;
	assert_string_equal(VERSION, ET_VERSION_TEXT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_path_has_grown), cmocka_unit_test(numbers_are_of_this_version)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
