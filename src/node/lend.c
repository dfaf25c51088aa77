/* See lend.h. */
#include "node/lend.h"

#include "node/ns.h"

#include <errno.h>
#include <linux/mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static bool
set(int fs, const char *key, const char *value)
{
	return syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, key, value, 0) == 0;
}

/* Returns a descriptor of the new folder, or -1 with errno. Whoever has it could fill the memory, make devices or
 * programs that run as somebody else: so it is small and neither is possible there. */
static int
make_folder(uid_t uid, gid_t gid)
{
	char user[16], group[16];
	int folder = -1, fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);
	if (fs < 0)
		return -1;
	snprintf(user, sizeof user, "%u", (unsigned)uid);
	snprintf(group, sizeof group, "%u", (unsigned)gid);
	if (set(fs, "size", "8m") && set(fs, "nr_inodes", "16") && set(fs, "mode", "0700") && set(fs, "uid", user) &&
	    set(fs, "gid", group) && syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		folder = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	int err = errno;
	close(fs);
	errno = err;
	return folder;
}

/* Takes a descriptor of the process. Returns -1 with errno. */
static int
take(pid_t pid, int fd)
{
	int process = (int)syscall(SYS_pidfd_open, pid, 0);
	if (process < 0)
		return -1;
	int ours = (int)syscall(SYS_pidfd_getfd, process, fd, 0), err = errno;
	close(process);
	errno = err;
	return ours;
}

/* Returns whether it is a socket that is connected to itself: nobody else reads what we put into it, though what the
 * node says of its process and its descriptor may be another's here. */
static bool
is_asking(int fd)
{
	struct sockaddr_un own = {0}, peer = {0};
	socklen_t size = sizeof own, peer_size = sizeof peer;
	return getsockname(fd, (struct sockaddr *)&own, &size) == 0 &&
	       getpeername(fd, (struct sockaddr *)&peer, &peer_size) == 0 && own.sun_family == AF_UNIX &&
	       size > sizeof own.sun_family && size == peer_size && memcmp(&own, &peer, size) == 0;
}

static bool
put(int to, int folder, const char *text)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec data = {(char *)(uintptr_t)text, strlen(text)};
	struct msghdr msg = {
	    .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
	memset(&control, 0, sizeof control);
	control.head =
	    (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(&control.head), &folder, sizeof folder);
	return sendmsg(to, &msg, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

bool
lend_folder(pid_t pid, int socket, const char *text, struct why *why)
{
	uid_t uid;
	gid_t gid;
	bool ok = false;
	if (!ns_user(pid, &uid, &gid)) {
		why_set(why, "process %d is gone", (int)pid);
		return false;
	}
	int folder = make_folder(uid, gid), to = -1;
	if (folder < 0)
		why_set(why, "%s", errno == EPERM ? "that needs root with CAP_SYS_ADMIN" : strerror(errno));
	else if ((to = take(pid, socket)) < 0)
		why_set(why, "it could not be given to process %d: %s", (int)pid, strerror(errno));
	else if (!is_asking(to))
		why_set(why, "process %d is not the node's, or not on this machine", (int)pid);
	else if (!(ok = put(to, folder, text)))
		why_set(why, "it could not be given to process %d: %s", (int)pid, strerror(errno));
	if (to >= 0)
		close(to);
	if (folder >= 0)
		close(folder);
	return ok;
}
