/*
 * What compiling costs: a script of 1,000 clauses from source to D object (goal: under 50 ms), and the whole command
 * for BEGIN { exit(0) } from start to end (goal: under 20 ms). It shows the best of several rounds, wall clock.
 *
 *	bench_compile [clauses]
 */
#include "base/sbuf.h"
#include "erltrace.h"
#include "report.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 7 };

static double
now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Clauses with a predicate, thread-local and associative variables, strings and aggregations. */
static void
make_script(struct sbuf *b, unsigned clauses)
{
	for (unsigned i = 0; i < clauses; i++) {
		sb_printf(b, "tick-%ums\n/pid != %u && execname == \"beam.smp\"/\n{\n", 10 + i % 90, i);
		sb_printf(b, "\tstart[%u, probename] = timestamp;\n", i);
		sb_printf(b, "\tself->t%u = timestamp - start[%u, probename];\n", i % 50, i);
		sb_printf(b, "\t@times%u[execname, pid] = quantize(self->t%u / 1000);\n", i % 40, i % 50);
		sb_printf(b, "\tprintf(\"%%d %%s\\n\", self->t%u, strjoin(execname, \"-%u\"));\n", i % 50, i);
		sb_printf(b, "\tstart[%u, probename] = 0;\n}\n", i);
	}
}

static double
compile_once(const char *text)
{
	int err;
	void *object;
	size_t len;
	double t0 = now_ms();
	struct et *h = et_open(ET_VERSION, &err);
	struct et_prog *p = h ? et_program_strcompile(h, text, ET_PROBESPEC_NAME, 0, 0, NULL) : NULL;
	if (!p || et_program_save(h, &object, &len) != 0) {
		fprintf(stderr, "bench_compile: %s\n", h ? et_errmsg(h, et_errno(h)) : "out of memory");
		exit(1);
	}
	free(object);
	et_close(h);
	return now_ms() - t0;
}

static double
command_once(char *path)
{
	char *argv[] = {path, (char[]){"-qn"}, (char[]){"BEGIN { exit(0); }"}, NULL}, *env[] = {NULL};
	pid_t pid;
	int status = -1;
	posix_spawn_file_actions_t quiet;
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1, 0);
	double t0 = now_ms();
	if (posix_spawn(&pid, path, &quiet, NULL, argv, env) != 0 || waitpid(pid, &status, 0) != pid || status != 0) {
		fprintf(stderr, "bench_compile: %s could not be run\n", path);
		exit(1);
	}
	posix_spawn_file_actions_destroy(&quiet);
	return now_ms() - t0;
}

int
main(int argc, char **argv)
{
	unsigned clauses = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
	struct sbuf script = {0};
	char path[4096] = "";
	double compile = 1e9, command = 1e9;
	make_script(&script, clauses);
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 32);
	char *slash = n > 0 ? strrchr(path, '/') : NULL;
	if (!slash)
		return 1;
	strcpy(slash, "/../erltrace");
	for (int i = 0; i < ROUNDS; i++) {
		double t = compile_once(script.at);
		compile = t < compile ? t : compile;
		t = command_once(path);
		command = t < command ? t : command;
	}
	printf("%u clauses, %zu bytes, to a D object: %.1f ms (goal for 1000: 50)\n", clauses, script.len, compile);
	report_json("command", "1000 clauses to a D object", "ms", compile, "its goal", compile / 50 * 1000 / clauses);
	report_json("command", "BEGIN { exit(0); }", "ms", command, "its goal", command / 20);
	printf("the command for BEGIN { exit(0); }:    %.1f ms (goal: 20)\n", command);
	sb_free(&script);
	return 0;
}
