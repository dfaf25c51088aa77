/* See ns.h. */
#include "node/ns.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
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
ns_socket(int net, int family, int flags)
{
	int back = net < 0 ? -1 : go(net, "/proc/thread-self/ns/net");
	if (net >= 0 && back < 0)
		return -1;
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
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

int64_t
ns_inner_pid(pid_t pid)
{
	char path[64], line[512];
	int64_t inner = -1;
	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	FILE *f = fopen(path, "re");
	/* one in each namespace, from ours inwards */
	while (f && inner < 0 && fgets(line, sizeof line, f))
		if (strncmp(line, "NStgid:", 7) == 0)
			inner = strtoll(strrchr(line, '\t') ? strrchr(line, '\t') : line + 7, NULL, 10);
	if (f)
		fclose(f);
	return inner > 0 ? inner : -1;
}

bool
ns_other_files(pid_t pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/root/", (int)pid);
	return !is_same("/", path);
}

bool
ns_user(pid_t pid, uid_t *uid, gid_t *gid)
{
	char path[64], line[256];
	unsigned u, g;
	bool has_uid = false, has_gid = false;
	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	FILE *f = fopen(path, "re");
	/* real, effective, saved, and the one that counts for files */
	while (f && !(has_uid && has_gid) && fgets(line, sizeof line, f)) {
		if (sscanf(line, "Uid: %*u %*u %*u %u", &u) == 1) {
			*uid = u;
			has_uid = true;
		} else if (sscanf(line, "Gid: %*u %*u %*u %u", &g) == 1) {
			*gid = g;
			has_gid = true;
		}
	}
	if (f)
		fclose(f);
	return has_uid && has_gid;
}

/* The C library's setgroups() would be for all threads. setfsuid() cannot fail visibly: it tells who one was before. */
bool
ns_become(pid_t pid)
{
	uid_t uid;
	gid_t gid;
	if (!ns_user(pid, &uid, &gid))
		return false;
	if (uid == geteuid())
		return true;
	if (syscall(SYS_setgroups, 0, NULL) != 0)
		return false;
	setfsgid(gid);
	setfsuid(uid);
	return (gid_t)setfsgid((gid_t)-1) == gid && (uid_t)setfsuid((uid_t)-1) == uid;
}

/* Finds a path below the process's root as the process would, without opening what is there. */
static int
find_there(pid_t pid, const char *path)
{
	char root[64];
	struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
	snprintf(root, sizeof root, "/proc/%d/root/", (int)pid);
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	int fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof how);
	bool is_old = fd < 0 && (errno == ENOSYS || errno == EPERM);
	close(dir);
	/* Linux before 5.6 cannot keep links inside. */
	return is_old && !ns_other_files(pid) ? open(path, O_PATH | O_CLOEXEC) : fd;
}

/* Opening is more than a look: a device may do anything then, and a pipe waits. So it is done when it is known that it
 * is a file, and to that very file. */
static int
open_there(pid_t pid, const char *path)
{
	char again[64];
	struct stat st;
	int at = find_there(pid, path), fd = -1;
	if (at < 0)
		return -1;
	snprintf(again, sizeof again, "/proc/thread-self/fd/%d", at);
	if (fstat(at, &st) == 0 && S_ISREG(st.st_mode))
		fd = open(again, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	close(at);
	return fd;
}

bool
ns_read(pid_t pid, const char *path, char *text, size_t size)
{
	size_t n = 0;
	text[0] = '\0';
	int fd = path[0] == '/' ? open_there(pid, path) : -1;
	if (fd < 0)
		return false;
	for (ssize_t got; n < size - 1 && (got = read(fd, text + n, size - 1 - n)) > 0;)
		n += (size_t)got;
	close(fd);
	text[n] = '\0';
	return n > 0;
}
