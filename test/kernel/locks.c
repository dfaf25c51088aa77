/*
 * Threads that certainly wait for a lock of the kernel: locks mutex N | file N | folder N | storm N
 *
 * userfaultfd(2) stops one thread in the middle of a system call that holds the lock: its buffer's page does not exist
 * until we provide it, which is when all the others sleep. storm: processes that take the same locks N times each as
 * fast as they can, between two calls of getppid. Exits with 67 if userfaultfd is not allowed.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, MAX = 64 };

static int uffd, fd[2];
static char *page; /* not there until we say so */
static int tids[MAX];

/* Nothing remains in the current folder. */
static void
clean(void)
{
	unlink("folder/file");
	rmdir("folder");
}

static void
die(int status)
{
	perror("locks");
	clean();
	_exit(status);
}

static void *
pipe_reader(void *arg)
{
	(void)arg;
	if (read(fd[0], page, 1) != 1)
		die(1);
	return NULL;
}

static void *
pipe_writer(void *arg)
{
	tids[(long)arg] = (int)syscall(SYS_gettid);
	if (write(fd[1], "x", 1) != 1)
		die(1);
	return NULL;
}

static void *
file_holder(void *arg)
{
	(void)arg;
	if (pwrite(fd[0], page, 1, 0) != 1)
		die(1);
	return NULL;
}

static void *
file_writer(void *arg)
{
	tids[(long)arg] = (int)syscall(SYS_gettid);
	if (pwrite(fd[0], "x", 1, 1) != 1)
		die(1);
	return NULL;
}

static void *
folder_holder(void *arg)
{
	(void)arg;
	if (syscall(SYS_getdents64, fd[0], page, PAGE) <= 0)
		die(1);
	return NULL;
}

/* The first makes a file, so that the readers after it have to wait too. */
static void *
folder_waiter(void *arg)
{
	char names[PAGE];
	tids[(long)arg] = (int)syscall(SYS_gettid);
	int f = (long)arg == 0 ? open("folder/file", O_CREAT | O_WRONLY, 0600) : open("folder", O_RDONLY | O_DIRECTORY);
	if (f < 0 || ((long)arg && syscall(SYS_getdents64, f, names, sizeof names) <= 0))
		die(1);
	close(f);
	return NULL;
}

/* Locks that spin (of processes, of signals) and sleep (of a pipe). */
static void
storm(long n)
{
	int p[2];
	char c;
	syscall(SYS_getppid);
	if (pipe(p) != 0)
		die(1);
	for (int i = 0; i < 8; i++) {
		if (fork() != 0)
			continue;
		for (long k = 0; k < n; k++) {
			if (i < 4) {
				kill(-getpid(), 0); /* no such group */
				pid_t child = fork();
				if (child == 0)
					_exit(0);
				waitpid(child, NULL, 0);
			} else if (write(p[1], "x", 1) != 1 || read(p[0], &c, 1) != 1) {
				_exit(1);
			}
		}
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	syscall(SYS_getppid);
}

static void
prepare(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (page == MAP_FAILED || uffd < 0 || ioctl(uffd, UFFDIO_API, &api) != 0)
		die(67);
	struct uffdio_register all = {.range = {(unsigned long)page, PAGE}, .mode = UFFDIO_REGISTER_MODE_MISSING};
	if (ioctl(uffd, UFFDIO_REGISTER, &all) != 0)
		die(67);
}

static void
until_stopped(void)
{
	struct pollfd p = {.fd = uffd, .events = POLLIN};
	struct uffd_msg m;
	if (poll(&p, 1, 60000) != 1 || read(uffd, &m, sizeof m) != sizeof m)
		die(1);
}

/* Uninterruptible: for a lock. */
static void
until_asleep(long i)
{
	char path[64], text[256];
	for (int tries = 0; tries < 60000; tries++) {
		int tid = *(volatile int *)&tids[i];
		snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
		FILE *f = tid ? fopen(path, "r") : NULL;
		const char *end = f && fgets(text, sizeof text, f) ? strrchr(text, ')') : NULL;
		if (f)
			fclose(f);
		if (end && end[2] == 'D')
			return;
		usleep(1000);
	}
	die(1);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t holder, t[MAX];
	void *(*hold)(void *) = pipe_reader, *(*wait)(void *) = pipe_writer;
	static char zero[PAGE];
	long count = argc > 2 ? atol(argv[2]) : 1;
	if (strcmp(what, "storm") == 0) {
		storm(count);
		return 0;
	}
	if (count > MAX)
		return 1;
	prepare();
	if (strcmp(what, "mutex") == 0) {
		if (pipe(fd) != 0 || write(fd[1], "x", 1) != 1)
			die(1);
	} else if (strcmp(what, "file") == 0) {
		hold = file_holder;
		wait = file_writer;
		if ((fd[0] = open("file", O_CREAT | O_WRONLY, 0600)) < 0 || unlink("file") != 0)
			die(1);
	} else {
		hold = folder_holder;
		wait = folder_waiter;
		mkdir("folder", 0700);
		if ((fd[0] = open("folder", O_RDONLY | O_DIRECTORY)) < 0)
			die(1);
	}
	pthread_create(&holder, NULL, hold, NULL);
	until_stopped();
	for (long i = 0; i < count; i++) {
		pthread_create(&t[i], NULL, wait, (void *)i);
		until_asleep(i);
	}
	usleep(20000);
	struct uffdio_copy copy = {.dst = (unsigned long)page, .src = (unsigned long)zero, .len = PAGE};
	if (ioctl(uffd, UFFDIO_COPY, &copy) != 0)
		die(1);
	pthread_join(holder, NULL);
	for (long i = 0; i < count; i++)
		pthread_join(t[i], NULL);
	clean();
	return 0;
}
