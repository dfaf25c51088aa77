/* Lending a folder to a process: it can hold a library and nothing else, leads nowhere, and only who asks gets one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef ET_WITH_EI
#include "node/lend.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* A socket with a name that the kernel chooses, connected to itself. */
static int
asking(void)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	socklen_t size = sizeof at.sun_family;
	int s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_true(s >= 0 && bind(s, (struct sockaddr *)&at, size) == 0);
	size = sizeof at;
	assert_int_equal(getsockname(s, (struct sockaddr *)&at, &size), 0);
	assert_int_equal(connect(s, (struct sockaddr *)&at, size), 0);
	return s;
}

/* Returns the descriptor that has come with the text, or -1. */
static int
taken(int s, const char *text)
{
	char said[64] = "", room[CMSG_SPACE(sizeof(int))];
	struct iovec data = {said, sizeof said - 1};
	struct msghdr msg = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
	int fd = -1;
	if (recvmsg(s, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) < 0)
		return -1;
	assert_string_equal(said, text);
	const struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
	assert_true(c && c->cmsg_type == SCM_RIGHTS);
	memcpy(&fd, CMSG_DATA(c), sizeof fd);
	return fd;
}

static int
lent(int *s)
{
	struct why why = {""};
	*s = asking();
	if (!lend_folder(getpid(), *s, "for a test", &why)) {
		print_message("%s\n", why.text);
		assert_string_equal(why.text, "that needs root with CAP_SYS_ADMIN");
		skip();
	}
	return taken(*s, "for a test");
}

static void
holds_a_library(void **state)
{
	char path[64], out[256];
	int s, folder = lent(&s), file;
	(void)state;
	assert_true(folder >= 0);
	assert_true((file = openat(folder, "program", O_WRONLY | O_CREAT | O_CLOEXEC, 0700)) >= 0);
	static const char text[] = "#!/bin/sh\nexit 7\n";
	assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
	close(file);
	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), folder);
	snprintf(out, sizeof out, "%s/program", path);
	int status = system(out);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	close(folder);
	close(s);
}

static void
leads_nowhere(void **state)
{
	struct stat own, up, root;
	struct statvfs fs;
	int s, folder = lent(&s);
	(void)state;
	assert_int_equal(fstat(folder, &own), 0);
	assert_int_equal(own.st_mode & 07777, 0700);
	assert_true(own.st_uid == geteuid());
	assert_int_equal(fstatat(folder, "..", &up, 0), 0);
	assert_true(up.st_dev == own.st_dev && up.st_ino == own.st_ino);
	assert_int_equal(fstatat(folder, "../../../..", &up, 0), 0);
	assert_true(up.st_dev == own.st_dev && up.st_ino == own.st_ino);
	assert_true(stat("/", &root) == 0 && root.st_dev != own.st_dev);
	assert_int_equal(fstatvfs(folder, &fs), 0);
	assert_true(fs.f_flag & ST_NOSUID && fs.f_flag & ST_NODEV && !(fs.f_flag & ST_NOEXEC));
	assert_true(fs.f_blocks * fs.f_frsize <= 8 << 20 && fs.f_files <= 16);
	/* a device has no effect */
	if (mknodat(folder, "memory", S_IFCHR | 0600, makedev(1, 1)) == 0)
		assert_true(openat(folder, "memory", O_RDONLY | O_CLOEXEC) < 0 && errno == EACCES);
	close(folder);
	close(s);
}

/* Others might read what they are sent, or take it for something else. */
static void
only_who_asks(void **state)
{
	struct why why = {""};
	int s, pair[2], folder = lent(&s);
	(void)state;
	close(folder);
	close(s);
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair), 0);
	int plain = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), net = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int file = open("/dev/null", O_RDWR | O_CLOEXEC);
	const int wrong[] = {pair[0], pair[1], plain, net, file};
	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_false(lend_folder(getpid(), wrong[i], "for a test", &why));
		assert_non_null(strstr(why.text, "is not the node's"));
	}
	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_int_equal(taken(wrong[i], ""), -1);
		close(wrong[i]);
	}
	assert_false(lend_folder(getpid(), 1000000, "for a test", &why));
	assert_non_null(strstr(why.text, "could not be given"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(holds_a_library), cmocka_unit_test(leads_nowhere), cmocka_unit_test(only_who_asks)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
int
main(void)
{
	return 67; /* built without ei */
}
#endif
