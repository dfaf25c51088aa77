/* What is kept of processes that anybody may start: limits, who loses when they are met, and whose perf maps count. */
#include "sym/slow.h"
#include "sym/syms.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { PID = 1 << 30, PAGE = 0x1000 }; /* there is no process with such a number */

static void
map_one(struct syms *s, int64_t pid, unsigned at, uint64_t ino, const char *path)
{
	struct sym_map m = {(uint64_t)at * PAGE, (uint64_t)(at + 1) * PAGE, 0, 77, ino, path};
	syms_mapped(s, pid, &m);
}

static const char *
module_at(struct syms *s, int64_t pid, uint64_t addr)
{
	const char *mod, *sym;
	uint64_t off;
	return syms_lookup(s, pid, addr, &mod, &sym, &off) ? mod : "none";
}

/* One process with more files than the table has room for: the next one has names all the same. */
static void
many_files(void **state)
{
	struct syms *s = syms_new();
	char path[64];
	(void)state;
	assert_non_null(s);
	for (unsigned i = 1; i <= 9000; i++) {
		snprintf(path, sizeof path, "/tmp/%u (deleted)", i);
		map_one(s, PID, i, i, path);
	}
	map_one(s, PID + 1, 1, 10001, "/usr/bin/later");
	assert_string_equal(module_at(s, PID + 1, PAGE), "later");
	syms_free(s);
}

/* The same from many processes, which stay. */
static void
many_processes(void **state)
{
	struct syms *s = syms_new();
	char path[64];
	(void)state;
	assert_non_null(s);
	for (unsigned p = 0; p < 40; p++)
		for (unsigned i = 1; i <= 500; i++) {
			snprintf(path, sizeof path, "/tmp/%u.%u", p, i);
			map_one(s, PID + p, i, p * 1000 + i, path);
		}
	map_one(s, PID + 100, 1, 100001, "/usr/bin/later");
	map_one(s, PID + 100, 2, 100002, "/usr/lib/libc.so.6");
	assert_string_equal(module_at(s, PID + 100, PAGE), "later");
	assert_string_equal(module_at(s, PID + 100, 2 * PAGE), "libc.so.6");
	syms_free(s);
}

/* A file that was removed is the file that it was. */
static void
same_when_deleted(void **state)
{
	struct syms *s = syms_new();
	(void)state;
	assert_non_null(s);
	map_one(s, PID, 1, 5, "/tmp/lib.so");
	map_one(s, PID, 2, 5, "/tmp/lib.so (deleted)");
	assert_string_equal(module_at(s, PID, 2 * PAGE), "lib.so");
	/* One object: both are one module, which begins where the first does. */
	assert_int_equal(syms_start_of(s, PID, 2 * PAGE, true), PAGE);
	syms_free(s);
}

/* Mappings over, into and between each other, against an array of pages. */
static void
overlaps(void **state)
{
	enum { PAGES = 60, FILES = 20 };
	char want[PAGES][16], path[32];
	(void)state;
	srand(1);
	for (unsigned round = 0; round < 50; round++) {
		struct syms *s = syms_new();
		assert_non_null(s);
		for (unsigned i = 0; i < PAGES; i++)
			strcpy(want[i], "none");
		for (unsigned n = 0; n < 30; n++) {
			unsigned from = (unsigned)rand() % PAGES, len = 1 + (unsigned)rand() % 12,
				 file = 1 + (unsigned)rand() % FILES;
			unsigned to = from + len > PAGES ? PAGES : from + len;
			snprintf(path, sizeof path, "/no/f%u", file);
			struct sym_map m = {(uint64_t)(from + 1) * PAGE, (uint64_t)(to + 1) * PAGE, 0, 77, file, path};
			syms_mapped(s, PID, &m);
			for (unsigned i = from; i < to; i++)
				strcpy(want[i], path + 4);
		}
		for (unsigned i = 0; i < PAGES; i++)
			assert_string_equal(module_at(s, PID, (uint64_t)(i + 1) * PAGE + 7), want[i]);
		syms_free(s);
	}
}

/* ---- perf maps ---- */

struct jit {
	pid_t pid;
	uint64_t addr;
	char path[64];
};

/* A process with code that is in no file. */
static void
jit_start(struct jit *j)
{
	void *p = mmap(NULL, 2 * PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(p != MAP_FAILED);
	j->addr = (uint64_t)(uintptr_t)p;
	j->pid = fork();
	assert_true(j->pid >= 0);
	if (j->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when a test fails */
		for (;;)
			pause();
	}
	munmap(p, 2 * PAGE);
	snprintf(j->path, sizeof j->path, "/tmp/perf-%d.map", (int)j->pid);
}

static void
jit_write(const struct jit *j, uint64_t addr, const char *name, off_t size)
{
	FILE *fp = fopen(j->path, "w");
	assert_non_null(fp);
	fprintf(fp, "%llx 10 %s\n", (unsigned long long)addr, name);
	fclose(fp);
	if (size)
		assert_int_equal(truncate(j->path, size), 0);
}

static void
jit_end(const struct jit *j)
{
	kill(j->pid, SIGKILL);
	waitpid(j->pid, NULL, 0);
	unlink(j->path);
}

static const char *
symbol_at(struct syms *s, int64_t pid, uint64_t addr)
{
	const char *mod, *sym;
	uint64_t off;
	return syms_lookup(s, pid, addr, &mod, &sym, &off) && sym ? sym : "none";
}

static void
perf_owner(void **state)
{
	struct jit j;
	(void)state;
	jit_start(&j);
	jit_write(&j, j.addr, "jitted", 0);
	struct syms *s = syms_new();
	assert_non_null(s);
	assert_string_equal(symbol_at(s, j.pid, j.addr), "jitted");
	syms_free(s);
	if (geteuid() == 0) {
		assert_int_equal(chown(j.path, 12345, 12345), 0);
		s = syms_new();
		assert_non_null(s);
		assert_string_equal(symbol_at(s, j.pid, j.addr), "none");
		syms_free(s);
	}
	/* nor by a link to one that would be believed */
	char other[80];
	snprintf(other, sizeof other, "%s.other", j.path);
	assert_int_equal(rename(j.path, other), 0);
	assert_int_equal(symlink(other, j.path), 0);
	s = syms_new();
	assert_non_null(s);
	assert_string_equal(symbol_at(s, j.pid, j.addr), "none");
	syms_free(s);
	unlink(other);
	jit_end(&j);
}

static void
on_note(void *arg, const char *text)
{
	snprintf(arg, 200, "%s", text);
}

static void
perf_size(void **state)
{
	struct jit j;
	char note[200] = "";
	(void)state;
	jit_start(&j);
	jit_write(&j, j.addr, "jitted", (off_t)200 << 20);
	struct syms *s = syms_new();
	assert_non_null(s);
	syms_on_note(s, on_note, note);
	assert_string_equal(symbol_at(s, j.pid, j.addr), "none");
	assert_non_null(strstr(note, "it is too large"));
	syms_free(s);
	jit_end(&j);
}

static double
now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A map that grows is read again, but not more than once a second. */
static void
perf_again(void **state)
{
	struct jit j;
	(void)state;
	jit_start(&j);
	struct syms *s = syms_new();
	assert_non_null(s);
	jit_write(&j, j.addr, "first", 0);
	double from = now();
	assert_string_equal(symbol_at(s, j.pid, j.addr), "first");
	jit_write(&j, j.addr + 0x100, "second", 0);
	const char *soon = symbol_at(s, j.pid, j.addr + 0x100);
	if (now() - from < 0.9)
		assert_string_equal(soon, "none");
	while (now() - from < 60 && strcmp(symbol_at(s, j.pid, j.addr + 0x100), "second") != 0)
		usleep(50000);
	assert_string_equal(symbol_at(s, j.pid, j.addr + 0x100), "second");
	syms_free(s);
	jit_end(&j);
}

/* ---- files of processes ---- */

/* If another file is now under the name of a mapped file, it is not taken; devices are not even opened. */
static void
regular_files_only(void **state)
{
	struct stat st;
	(void)state;
	assert_int_equal(slow_open(NULL, "/dev/null", 0, &st), -1);
	assert_int_equal(slow_open(NULL, "/", 0, &st), -1);
	assert_int_equal(slow_open(NULL, "/proc/self/exe", O_NOFOLLOW, &st), -1);
	int fd = slow_open(NULL, "/proc/self/exe", 0, &st);
	assert_true(fd >= 0);
	close(fd);
}

static void
users(void **state)
{
	struct proc_user u;
	(void)state;
	assert_true(proc_user(getpid(), &u));
	assert_int_equal(u.real, getuid());
	assert_int_equal(u.effective, geteuid());
	assert_int_equal(u.inner, getpid());
	assert_true(proc_is_trusted(&u));
	assert_false(proc_user(PID, &u));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(many_files),
	    cmocka_unit_test(many_processes),
	    cmocka_unit_test(same_when_deleted),
	    cmocka_unit_test(overlaps),
	    cmocka_unit_test(perf_owner),
	    cmocka_unit_test(perf_size),
	    cmocka_unit_test(perf_again),
	    cmocka_unit_test(regular_files_only),
	    cmocka_unit_test(users),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
