/*
 * A file system that somebody serves and then stops serving: part of hostile.c.
 *
 * It has one file, lib.elf, which a child maps with code. From then on no request is answered, so whoever opens, looks
 * at or reads the file waits. It speaks the kernel's protocol (linux/fuse.h) without libfuse, because there are only
 * five kinds of requests to answer.
 */
#include "hostile.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOT = FUSE_ROOT_ID, FILE_ID = 2, ROOM = 1 << 20 };

static char *data;
static size_t size;

static void
answer(int fd, uint64_t unique, int error, const void *body, size_t n)
{
	static char out[sizeof(struct fuse_out_header) + ROOM];
	struct fuse_out_header h = {.len = (uint32_t)(sizeof h + n), .error = -error, .unique = unique};
	memcpy(out, &h, sizeof h);
	if (n)
		memcpy(out + sizeof h, body, n);
	if (write(fd, out, h.len) < 0 && errno != ENOENT)
		die("/dev/fuse");
}

static struct fuse_attr
attr_of(uint64_t id)
{
	return (struct fuse_attr){.ino = id,
	    .size = id == FILE_ID ? size : 0,
	    .mode = id == FILE_ID ? S_IFREG | 0755 : S_IFDIR | 0755,
	    .nlink = 1,
	    .uid = NOBODY,
	    .gid = NOBODY,
	    .blksize = 4096};
}

/* The kernel must not cache answers: each look at the file asks again. */
static void
serve_one(int fd, char *in)
{
	struct fuse_in_header h;
	memcpy(&h, in, sizeof h);
	const char *arg = in + sizeof h;
	if (h.opcode == FUSE_INIT) {
		struct fuse_init_out o = {
		    .major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION, .max_write = 4096};
		answer(fd, h.unique, 0, &o, sizeof o);
	} else if (h.opcode == FUSE_LOOKUP && strcmp(arg, "lib.elf") == 0) {
		struct fuse_entry_out o = {.nodeid = FILE_ID, .attr = attr_of(FILE_ID)};
		answer(fd, h.unique, 0, &o, sizeof o);
	} else if (h.opcode == FUSE_GETATTR) {
		struct fuse_attr_out o = {.attr = attr_of(h.nodeid)};
		answer(fd, h.unique, 0, &o, sizeof o);
	} else if (h.opcode == FUSE_OPEN) {
		struct fuse_open_out o = {.fh = 1};
		answer(fd, h.unique, 0, &o, sizeof o);
	} else if (h.opcode == FUSE_READ) {
		struct fuse_read_in r;
		memcpy(&r, arg, sizeof r);
		size_t left = r.offset < size ? size - r.offset : 0, n = r.size < left ? r.size : left;
		answer(fd, h.unique, 0, data + (left ? r.offset : 0), n);
	} else if (h.opcode == FUSE_FLUSH || h.opcode == FUSE_RELEASE)
		answer(fd, h.unique, 0, NULL, 0);
	else if (h.opcode != FUSE_FORGET && h.opcode != FUSE_BATCH_FORGET && h.opcode != FUSE_INTERRUPT)
		answer(fd, h.unique, h.opcode == FUSE_LOOKUP ? ENOENT : ENOSYS, NULL, 0);
}

/* Serves until `pid` has mapped the file; a byte tells so. */
static void
serve(int fd, int told)
{
	static char in[ROOM];
	char c;
	for (;;) {
		ssize_t n = read(fd, in, sizeof in);
		if (n >= (ssize_t)sizeof(struct fuse_in_header))
			serve_one(fd, in);
		else if (n < 0 && errno != EINTR && errno != EAGAIN && errno != ENOENT)
			die("/dev/fuse");
		else
			usleep(1000);
		if (read(told, &c, 1) == 1)
			return;
	}
}

void
fuse(const char *elf, const char *dir)
{
	char path[4096], options[100], c;
	int pipes[2][2];
	FILE *in = fopen(elf, "r");
	data = malloc(ROOM);
	size = in && data ? fread(data, 1, ROOM, in) : 0;
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (!size || fd < 0 || pipe2(pipes[0], O_CLOEXEC | O_NONBLOCK) != 0 || pipe2(pipes[1], O_CLOEXEC) != 0)
		die(size ? "/dev/fuse" : elf);
	snprintf(
	    options, sizeof options, "fd=%d,rootmode=40000,user_id=%d,group_id=%d,allow_other", fd, NOBODY, NOBODY);
	if (mount("hostile", dir, "fuse", MS_NOSUID | MS_NODEV, options) != 0)
		die("mount");
	snprintf(path, sizeof path, "%s/lib.elf", dir);
	pid_t pid = fork();
	if (pid == 0) {
		close(fd);
		volatile const char *p = map(path);
		for (unsigned i = 0; i < MAPPED; i += 4096)
			(void)p[i];
		drop_rights(ANOTHER);
		if (write(pipes[0][1], "m", 1) == 1)
			while (read(pipes[1][0], &c, 1) < 0)
				continue;
		_exit(0);
	}
	serve(fd, pipes[0][0]);
	printf("%d\n", (int)pid);
	wait_for_end();
	/* so that whoever waits can go on, and the folder is as before */
	kill(pid, SIGKILL);
	close(fd);
	waitpid(pid, NULL, 0);
	umount2(dir, MNT_DETACH);
}
