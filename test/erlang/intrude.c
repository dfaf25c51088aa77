/* intrude PID FD FOLDER: what others could try with the socket FD of process PID, which waits for the descriptor of a
 * folder: send it one by its name, or have done so before it was connected. Then FOLDER is put in with the right text.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static int
put(int to, const char *text, const char *folder, struct sockaddr_un *at, socklen_t size)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} c = {.head = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
	struct iovec data = {(char *)text, strlen(text)};
	struct msghdr m = {at, size, &data, 1, c.room, sizeof c.room, 0};
	int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	memcpy(CMSG_DATA(&c.head), &fd, sizeof fd);
	return sendmsg(to, &m, 0) < 0 ? errno : 0;
}

int
main(int argc, char **argv)
{
	struct sockaddr_un at = {0};
	socklen_t size = sizeof at;
	if (argc != 4)
		return 2;
	int process = (int)syscall(SYS_pidfd_open, atoi(argv[1]), 0);
	int s = (int)syscall(SYS_pidfd_getfd, process, atoi(argv[2]), 0), other = socket(AF_UNIX, SOCK_DGRAM, 0);
	if (s < 0 || getsockname(s, (struct sockaddr *)&at, &size) != 0)
		return 1;
	printf("by its name: %s\n", strerror(put(other, "right", "/", &at, size)));
	printf("before: %s\n", strerror(put(s, "wrong", "/", NULL, 0)));
	printf("the right one: %s\n", strerror(put(s, "right", argv[3], NULL, 0)));
	return 0;
}
