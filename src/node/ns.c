/* See ns.h. */
#include "node/ns.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool
is_same(const char *a, const char *b)
{
	struct stat sa, sb;
	return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

int
ns_open(pid_t pid, const char *kind)
{
	char own[64], path[64];
	snprintf(own, sizeof own, "/proc/thread-self/ns/%s", kind);
	snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, kind);
	return is_same(own, path) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
}

/* Goes there. Returns what leads back, or -1 with errno. */
static int
go(int ns, const char *own)
{
	int back = open(own, O_RDONLY | O_CLOEXEC);
	if (back < 0 || setns(ns, 0) == 0)
		return back;
	int err = errno;
	close(back);
	errno = err;
	return -1;
}

static bool
come_back(int back)
{
	int err = errno;
	bool ok = setns(back, 0) == 0;
	close(back);
	if (ok)
		errno = err;
	return ok;
}

int
ns_socket(int net, int flags)
{
	int back = net < 0 ? -1 : go(net, "/proc/thread-self/ns/net");
	if (net >= 0 && back < 0)
		return -1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
	if (back >= 0 && !come_back(back) && fd >= 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

void
ns_host(int uts, char *host, size_t size)
{
	int back = uts < 0 ? -1 : go(uts, "/proc/thread-self/ns/uts");
	host[0] = host[size - 1] = '\0';
	if (uts < 0 || back >= 0)
		gethostname(host, size - 1);
	if (back >= 0)
		come_back(back);
	host[strcspn(host, ".")] = '\0';
}

bool
ns_other_files(pid_t pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/root/", (int)pid);
	return !is_same("/", path);
}

/* Opens a path below the process's root as the process would. */
static int
open_there(pid_t pid, const char *path)
{
	char root[64];
	struct open_how how = {.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, .resolve = RESOLVE_IN_ROOT};
	snprintf(root, sizeof root, "/proc/%d/root/", (int)pid);
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	int fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof how);
	bool is_old = fd < 0 && (errno == ENOSYS || errno == EPERM);
	close(dir);
	/* Linux before 5.6 cannot keep links inside. */
	return is_old && !ns_other_files(pid) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : fd;
}

bool
ns_read(pid_t pid, const char *path, char *text, size_t size)
{
	struct stat st;
	size_t n = 0;
	text[0] = '\0';
	int fd = path[0] == '/' ? open_there(pid, path) : -1;
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		for (ssize_t got; n < size - 1 && (got = read(fd, text + n, size - 1 - n)) > 0;)
			n += (size_t)got;
	close(fd);
	text[n] = '\0';
	return n > 0;
}
