/* Files on file systems that do not answer: nobody waits longer than the budget says, and whoever has them loses. */
#include "sym/slow.h"
#include "sym/syms.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { MS = 1000000 };

static unsigned threads, files; /* before the first test */

/* ---- a file system of ours: these stand for the calls of the C library ---- */

static atomic_ulong type; /* 0: what it is */
static atomic_bool open_hangs, read_hangs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go_on = PTHREAD_COND_INITIALIZER;

static void
hang(atomic_bool *hangs)
{
	pthread_mutex_lock(&lock);
	while (atomic_load(hangs))
		pthread_cond_wait(&go_on, &lock);
	pthread_mutex_unlock(&lock);
}

static void
answer_all(void)
{
	pthread_mutex_lock(&lock);
	atomic_store(&open_hangs, false);
	atomic_store(&read_hangs, false);
	pthread_cond_broadcast(&go_on);
	pthread_mutex_unlock(&lock);
}

int
fstatfs(int fd, struct statfs *st)
{
	hang(&open_hangs);
	long r = syscall(SYS_fstatfs, fd, st);
	if (r == 0 && atomic_load(&type))
		st->f_type = (__typeof__(st->f_type))atomic_load(&type);
	return (int)r;
}

ssize_t
pread(int fd, void *to, size_t n, off_t off)
{
	hang(&read_hangs);
	return syscall(SYS_pread64, fd, to, n, off);
}

/* ---- tests ---- */

static double
now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static unsigned
count(const char *dir)
{
	unsigned n = 0;
	DIR *d = opendir(dir);
	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* Threads that were left alone end when their calls are answered; and so do the files that those opened. */
static void
wait_for(const char *dir, unsigned n)
{
	double from = now();
	while (count(dir) > n && now() - from < 60)
		usleep(10000);
	assert_int_equal(count(dir), n);
}

static struct budget
foreign(struct slow *s)
{
	struct budget b = budget_small();
	b.slow = s;
	b.call_wait = b.wait = (int64_t)60000 * MS; /* this machine may be busy */
	return b;
}

static void
local(void **state)
{
	struct stat st;
	char c[4];
	struct slow *s = slow_new();
	(void)state;
	assert_non_null(s);
	atomic_store(&type, TMPFS_MAGIC);
	struct budget b = foreign(s);
	struct spending sp = spend_begin(&b);
	int fd = slow_open(&sp, "/proc/self/exe", 0, &st);
	assert_true(fd >= 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(slow_pread(&sp, fd, c, 4, 0), 4);
	assert_memory_equal(c, "\177ELF", 4);
	slow_close(&sp, fd);
	assert_int_equal(slow_open(&sp, "/dev/null", 0, &st), -1);
	assert_int_equal(slow_open(&sp, "/no/such", 0, &st), -1);
	assert_int_equal(slow_open(&sp, "/proc/self/exe", O_NOFOLLOW, &st), -1);
	assert_null(sp.over);
	slow_free(s);
}

/* A file system that somebody serves: only for named processes. */
static void
fuse(void **state)
{
	struct stat st;
	struct slow *s = slow_new();
	(void)state;
	assert_non_null(s);
	atomic_store(&type, FUSE_SUPER_MAGIC);
	struct budget b = foreign(s), named = budget_large();
	struct spending sp = spend_begin(&b);
	assert_int_equal(stat("/proc/self/exe", &st), 0);
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	assert_true(n > 0);
	path[n] = '\0';
	struct sym_map m = {0, 1, 0, st.st_dev, st.st_ino, path};
	assert_int_equal(proc_open(getpid(), &m, &sp), -1);
	assert_string_equal(sp.over, "it is on a file system that a process serves (FUSE)");
	named.slow = s;
	sp = spend_begin(&named);
	int fd = proc_open(getpid(), &m, &sp);
	assert_true(fd >= 0);
	assert_null(sp.over);
	slow_close(&sp, fd);
	slow_free(s);
}

/* It waits for the first call and makes no more for that user. Others go on. */
static void
open_does_not_answer(void **state)
{
	struct stat st;
	struct slow *s = slow_new();
	(void)state;
	assert_non_null(s);
	atomic_store(&type, 0);
	struct budget all = budget_small(), b = foreign(s), other = foreign(s);
	b.all = other.all = &all;
	b.call_wait = 500 * MS;
	atomic_store(&open_hangs, true);
	struct spending sp = spend_begin(&b);
	double from = now();
	assert_int_equal(slow_open(&sp, "/proc/self/exe", 0, &st), -1);
	double took = now() - from;
	assert_true(took > 0.4);
	assert_string_equal(sp.over, "its file system does not answer in time");
	for (unsigned i = 0; i < 1000; i++) {
		sp = spend_begin(&b);
		assert_int_equal(slow_open(&sp, "/proc/self/exe", 0, &st), -1);
		assert_string_equal(sp.over, "its file system does not answer in time");
	}
	/* one was given up, and none was asked again; one of an earlier test may be about to end */
	wait_for("/proc/self/task", threads + 1);
	assert_true(all.wait >= 1);
	assert_true(all.wait <= (int64_t)2600 * MS);
	all.wait = (int64_t)60000 * MS;
	atomic_store(&open_hangs, false); /* for the next thread: the first one still waits */
	sp = spend_begin(&other);
	int fd = slow_open(&sp, "/proc/self/exe", 0, &st);
	assert_true(fd >= 0);
	slow_close(&sp, fd);
	slow_free(s);
	answer_all();
	wait_for("/proc/self/task", threads);
	wait_for("/proc/self/fd", files);
}

/* Opened in time, then silent: a file system that is not the kernel's own is also read by the thread. */
static void
read_does_not_answer(void **state)
{
	struct stat st;
	struct elf e;
	struct why why;
	struct slow *s = slow_new();
	(void)state;
	assert_non_null(s);
	atomic_store(&type, OVERLAYFS_SUPER_MAGIC);
	struct budget b = foreign(s);
	struct spending sp = spend_begin(&b);
	int fd = slow_open(&sp, "/proc/self/exe", 0, &st);
	assert_true(fd >= 0);
	assert_true(elf_read_fd(&e, fd, ELF_SYMS, &sp, &why));
	assert_non_null(elf_named(&e, "main"));
	elf_free(&e);
	atomic_store(&read_hangs, true);
	b.call_wait = 500 * MS;
	assert_false(elf_read_fd(&e, fd, ELF_SYMS, &sp, &why));
	assert_string_equal(why.text, "its file system does not answer in time");
	slow_close(&sp, fd);
	slow_free(s);
	answer_all();
	wait_for("/proc/self/task", threads);
	wait_for("/proc/self/fd", files);
}

static bool
is_ended(void *arg)
{
	(void)arg;
	return true;
}

/* For a named process it waits longer, but not once it should end. */
static void
ended(void **state)
{
	struct stat st;
	struct slow *s = slow_new();
	(void)state;
	assert_non_null(s);
	struct budget b = budget_large();
	b.slow = s;
	b.wait = b.call_wait = (int64_t)600000 * MS;
	b.stopped = is_ended;
	atomic_store(&open_hangs, true);
	struct spending sp = spend_begin(&b);
	double from = now();
	assert_int_equal(slow_open(&sp, "/proc/self/exe", 0, &st), -1);
	assert_string_equal(sp.over, "looking was ended");
	assert_true(now() - from < 60);
	slow_free(s);
	answer_all();
	wait_for("/proc/self/task", threads);
}

static void *
nothing(void *arg)
{
	return arg;
}

int
main(void)
{
	pthread_t first;
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(local),
	    cmocka_unit_test(fuse),
	    cmocka_unit_test(open_does_not_answer),
	    cmocka_unit_test(read_does_not_answer),
	    cmocka_unit_test(ended),
	};
	/* with the first thread a sanitizer has one of its own, too */
	if (pthread_create(&first, NULL, nothing, NULL) == 0)
		pthread_join(first, NULL);
	threads = count("/proc/self/task");
	files = count("/proc/self/fd");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
