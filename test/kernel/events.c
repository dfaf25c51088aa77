/*
 * Known events for tests of vminfo, sysinfo, sched and proc, each between two calls of getppid:
 * events touch N FILE (touches its pages one by one, none of them in memory) | cold FILE (reads what is not in memory)
 * | prot N (writes that are not allowed) | copies N (system calls that fault on our memory; prints how many faults the
 * kernel counted) | divide N | switches N (prints how the kernel counted them) | vforks N | clear N (signals taken by
 * sigtimedwait) | discard N (ignored signals) | prio N (of itself and of another thread) | lend (a mutex that lends a
 * priority; 67: not permitted) | ipc N | written N FILE (3584 bytes, past the cache) | anon N (pages, written and read
 * twice) | cpu N (ms of the CPU, with sleep in between; prints them in ns) | files N (every call on open files that
 * fsinfo knows, on one called "known", and one that fails)
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096 };
static char buf[1 << 16];
static sigjmp_buf back;

static void
mark(void)
{
	syscall(SYS_getppid);
}

static void
jump(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

static char *
pages(long n)
{
	char *p = mmap(NULL, (size_t)n * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		exit(1);
	madvise(p, (size_t)n * PAGE, MADV_NOHUGEPAGE);
	return p;
}

/* None of its pages are in memory afterwards. */
static int
open_cold(const char *path, long *npages)
{
	struct stat st;
	int fd = open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &st) != 0 || fsync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0)
		exit(1);
	*npages = (st.st_size + PAGE - 1) / PAGE;
	return fd;
}

static void
touch(long n, const char *path)
{
	long have;
	int fd = open_cold(path, &have);
	volatile char *p = mmap(NULL, (size_t)have * PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED || have < n || madvise((void *)p, (size_t)have * PAGE, MADV_RANDOM) != 0)
		exit(1);
	mark();
	for (long i = 0; i < n; i++)
		(void)p[i * PAGE];
	mark();
}

static void
switches(long n)
{
	struct rusage a, b;
	struct timespec t = {.tv_nsec = 1000000};
	mark();
	getrusage(RUSAGE_SELF, &a);
	for (long i = 0; i < n; i++) {
		nanosleep(&t, NULL);
		sched_yield();
	}
	getrusage(RUSAGE_SELF, &b);
	mark();
	printf("%ld %ld\n", b.ru_nvcsw - a.ru_nvcsw, b.ru_nivcsw - a.ru_nivcsw);
}

static void
copies(long n)
{
	struct rusage a, b;
	char *p = pages(n + 1);
	int zero = open("/dev/zero", O_RDONLY);
	for (long i = 0; i <= n; i++) {
		if (i == 1) { /* from here on all that the calls themselves need is in memory */
			mark();
			mark();
			getrusage(RUSAGE_SELF, &b);
			getrusage(RUSAGE_SELF, &a);
			mark();
		}
		if (read(zero, p + i * PAGE, 1) != 1)
			exit(1);
	}
	mark();
	getrusage(RUSAGE_SELF, &b);
	printf("%ld\n", b.ru_minflt - a.ru_minflt);
}

static long
cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void
cpu(long ms)
{
	struct timespec t = {.tv_nsec = 5000000};
	mark();
	long from = cpu_ns(), rest = from;
	for (long i = 0; i < ms; i++) {
		while (cpu_ns() - rest < 1000000)
			;
		rest += 1000000;
		if (i % 10 == 0)
			nanosleep(&t, NULL);
	}
	long used = cpu_ns() - from;
	mark();
	printf("%ld\n", used);
}

static int
files(long n)
{
	char c[8] = "";
	struct iovec v = {c, 3};
	struct stat st;
	int ready, fd = open("known", O_RDWR | O_CREAT | O_TRUNC, 0600), d = open("known.d", O_RDONLY | O_DIRECTORY);
	mark();
	for (long i = 0; i < n; i++) {
		if (write(fd, c, 5) != 5 || pwrite(fd, c, 7, 0) != 7 || writev(fd, &v, 1) != 3 ||
		    lseek(fd, 0, SEEK_SET) != 0 || read(fd, c, 2) != 2 || pread(fd, c, 4, 0) != 4 ||
		    readv(fd, &v, 1) != 3 || fsync(fd) != 0 || fdatasync(fd) != 0 || ioctl(fd, FIONREAD, &ready) != 0 ||
		    ftruncate(fd, 100) != 0 || syscall(SYS_fstat, fd, &st) != 0 || lseek(d, 0, SEEK_SET) != 0 ||
		    syscall(SYS_getdents64, d, buf, sizeof buf) <= 0 || close(dup2(fd, 99)) != 0)
			return 1;
		/* The first fails, so it does not count; the second is for another file. */
		if (read(-1, c, 1) != -1 || write(2, c, 0) != 0)
			return 1;
	}
	mark();
	return 0;
}

static pthread_mutex_t mutex;
static volatile int other, stop;

static void *
sleeper(void *arg)
{
	other = (int)syscall(SYS_gettid);
	while (!stop)
		usleep(1000);
	return arg;
}

static void
prio(long n)
{
	pthread_t t;
	struct sched_param none = {0};
	pthread_create(&t, NULL, sleeper, NULL);
	while (!other)
		usleep(1000);
	mark();
	for (long i = 0; i < n; i++) {
		setpriority(PRIO_PROCESS, 0, 5);
		setpriority(PRIO_PROCESS, (id_t)other, 7);
	}
	syscall(SYS_sched_setscheduler, other, SCHED_BATCH, &none);
	setpriority(PRIO_PROCESS, 0, 99999); /* 19 */
	setpriority(12345, 0, 1);            /* fails */
	mark();
	stop = 1;
	pthread_join(t, NULL);
}

/* Gets the mutex while somebody with a higher priority waits for it. */
static void *
high(void *arg)
{
	struct sched_param p = {.sched_priority = 10};
	if (sched_setscheduler(0, SCHED_FIFO, &p) != 0)
		_exit(67);
	other = (int)syscall(SYS_gettid);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void
lend(void)
{
	pthread_t t;
	pthread_mutexattr_t a;
	char path[64], text[256];
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&mutex, &a);
	pthread_mutex_lock(&mutex);
	mark();
	pthread_create(&t, NULL, high, NULL);
	for (int asleep = 0; !asleep;) {
		usleep(1000);
		snprintf(path, sizeof path, "/proc/self/task/%d/syscall", other);
		FILE *f = other ? fopen(path, "r") : NULL;
		asleep =
		    f && fgets(text, sizeof text, f) && text[0] != 'r' && atol(text) == SYS_futex; /* not "running" */
		if (f)
			fclose(f);
		if (other && access("/proc/self/syscall", R_OK) != 0)
			_exit(67);
	}
	pthread_mutex_unlock(&mutex);
	pthread_join(t, NULL);
	mark();
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	volatile long n = argc > 2 ? atol(argv[2]) : 1;
	sigset_t usr1;
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	if (strcmp(what, "touch") == 0) {
		touch(n, argv[3]);
	} else if (strcmp(what, "cold") == 0) {
		long have;
		int fd = open_cold(argv[2], &have);
		mark();
		while (read(fd, buf, sizeof buf) > 0)
			;
		mark();
	} else if (strcmp(what, "prot") == 0) {
		volatile char *p = pages(1);
		volatile long i;
		*p = 1;
		mprotect((void *)p, PAGE, PROT_READ);
		signal(SIGSEGV, jump);
		mark();
		for (i = 0; i < n; i++)
			if (sigsetjmp(back, 1) == 0)
				*p = 2;
		mark();
	} else if (strcmp(what, "copies") == 0) {
		copies(n);
	} else if (strcmp(what, "divide") == 0) {
		volatile long i, zero = 0, to;
		signal(SIGFPE, jump);
		mark();
		for (i = 0; i < n; i++)
			if (sigsetjmp(back, 1) == 0)
				to = i / zero;
		mark();
		(void)to;
	} else if (strcmp(what, "switches") == 0) {
		switches(n);
	} else if (strcmp(what, "vforks") == 0) {
		mark();
		for (volatile long i = 0; i < n; i++) {
			pid_t pid = vfork();
			if (pid == 0)
				_exit(0);
			waitpid(pid, NULL, 0);
		}
		mark();
	} else if (strcmp(what, "clear") == 0) {
		sigprocmask(SIG_BLOCK, &usr1, NULL);
		mark();
		for (long i = 0; i < n; i++) {
			struct timespec soon = {0};
			kill(getpid(), SIGUSR1);
			if (sigtimedwait(&usr1, NULL, &soon) != SIGUSR1 || sigtimedwait(&usr1, NULL, &soon) != -1)
				return 1;
		}
		mark();
	} else if (strcmp(what, "discard") == 0) {
		signal(SIGUSR1, SIG_IGN);
		mark();
		for (long i = 0; i < n; i++)
			kill(getpid(), SIGUSR1);
		mark();
	} else if (strcmp(what, "files") == 0) {
		return files(n);
	} else if (strcmp(what, "cpu") == 0) {
		cpu(n);
	} else if (strcmp(what, "prio") == 0) {
		prio(n);
	} else if (strcmp(what, "lend") == 0) {
		lend();
	} else if (strcmp(what, "written") == 0) {
		static char block[PAGE] __attribute__((aligned(PAGE)));
		int fd = open(argv[3], O_WRONLY | O_DIRECT);
		memset(block, 1, sizeof block);
		mark();
		for (long i = 0; i < n; i++)
			if (pwrite(fd, block, 3584, 0) != 3584)
				return 1;
		mark();
	} else if (strcmp(what, "anon") == 0) {
		volatile char *p = pages(n);
		mark();
		memset((char *)p, 1, (size_t)n * PAGE);
		for (long i = 0; i < 2 * n; i++)
			(void)p[i % n * PAGE];
		mark();
	} else if (strcmp(what, "ipc") == 0) {
		struct {
			long type;
			char c;
		} m = {1, 'x'};
		struct sembuf up = {.sem_op = 1};
		int q = msgget(IPC_PRIVATE, 0600), s = semget(IPC_PRIVATE, 1, 0600);
		mark();
		for (long i = 0; i < n; i++)
			if (msgsnd(q, &m, 1, 0) != 0 || msgrcv(q, &m, 1, 0, 0) != 1 || semop(s, &up, 1) != 0)
				return 1;
		mark();
		msgctl(q, IPC_RMID, NULL);
		semctl(s, 0, IPC_RMID);
	}
	return 0;
}
