/* See memory.h. */
#include "node/memory.h"

#include "node/ns.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 10 };

/* Opens descriptor fd of a process, only if it is a memory file of ours: nothing else may be opened just because a
 * node says so. */
static int
open_of(long pid, int fd)
{
	char path[64], to[64] = "";
	snprintf(path, sizeof path, "/proc/%ld/fd/%d", pid, fd);
	if (readlink(path, to, sizeof to - 1) < 0)
		return -1;
	if (strncmp(to, "/memfd:erltrace", strlen("/memfd:erltrace")) != 0) {
		errno = ENOENT;
		return -1;
	}
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/* Tries a process. Returns false with errno. */
static bool
try(struct memory *m, long pid, int fd, const struct dobj *o, const struct eng_conf *c, struct why *why)
{
	int file = open_of(pid, fd);
	if (file < 0) {
		why_set(why, "%s",
		    errno == EACCES || errno == EPERM ? "the node's process is another user's"
						      : "its process is not on this machine");
		return false;
	}
	m->image = image_map(file, o, c, why);
	close(file);
	if (m->image)
		m->pidfd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
	return m->image != NULL;
}

bool
memory_open(struct memory *m, int64_t os_pid, int fd, const struct dobj *o, const struct eng_conf *c, struct why *why)
{
	*m = (struct memory){.pidfd = -1};
	if (fd < 0) {
		why_set(why, "the node could not make a file for it");
		return false;
	}
	if (os_pid <= 0 || os_pid > INT32_MAX)
		return false;
	if (try(m, (long)os_pid, fd, o, c, why))
		return true;
	struct why ignored;
	DIR *d = opendir("/proc");
	for (struct dirent *de; d && !m->image && (de = readdir(d));) {
		long pid = isdigit((unsigned char)de->d_name[0]) ? strtol(de->d_name, NULL, 10) : 0;
		if (pid > 0 && pid != os_pid && ns_inner_pid((pid_t)pid) == os_pid)
			try(m, pid, fd, o, c, &ignored);
	}
	if (d)
		closedir(d);
	return m->image != NULL;
}

void
memory_close(struct memory *m)
{
	image_unmap(m->image);
	if (m->image && m->pidfd >= 0)
		close(m->pidfd);
	*m = (struct memory){.pidfd = -1};
}

void
memory_wait(const struct memory *m, unsigned ms)
{
	struct pollfd p = {.fd = m->pidfd, .events = POLLIN};
	for (unsigned waited = 0; waited < ms && !image_is_over(m->image); waited += LOOK_MS)
		if (m->pidfd < 0)
			nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000}, NULL);
		else if (poll(&p, 1, LOOK_MS) == 1)
			return;
}
