/* See seen.h. */
#include "seen.h"
#include "threads.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static struct {
	const struct script *owner; /* NULL if nobody has it */
	int ends[2];                /* ours, and the one that the command takes; -1 if closed */
	bool mapped;
} seen;

static void
close_ends(void)
{
	for (int i = 0; i < 2; i++) {
		if (seen.ends[i] >= 0)
			close(seen.ends[i]);
		seen.ends[i] = -1;
	}
}

int
seen_offer(const struct script *s)
{
	if (!(s->wants & WANT_SLOT))
		return -1;
	if (seen.owner)
		return seen.owner == s ? seen.ends[1] : -1;
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, seen.ends) < 0)
		return -1;
	seen.owner = s;
	return seen.ends[1];
}

/* Returns the descriptor that came; -1 if none did. */
static int
receive(int from)
{
	char byte;
	struct iovec data = {&byte, 1};
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct msghdr m = {
	    .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
	int fd = -1;
	if (recvmsg(from, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) < 0)
		return -1;
	const struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof fd))
		memcpy(&fd, CMSG_DATA(c), sizeof fd);
	return fd;
}

/* It is first mapped elsewhere and then moved: at no moment is there nothing where threads write. */
void
seen_take(const struct script *s)
{
	if (seen.owner != s || seen.mapped || seen.ends[0] < 0)
		return;
	int fd = receive(seen.ends[0]);
	close_ends();
	if (fd < 0)
		return;
	void *at = mmap(NULL, NODE_SEEN_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return;
	seen.mapped =
	    mremap(at, NODE_SEEN_SIZE, NODE_SEEN_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, seen_rows()) != MAP_FAILED;
	if (!seen.mapped)
		munmap(at, NODE_SEEN_SIZE);
}

void
seen_drop(const struct script *s)
{
	if (seen.owner != s)
		return;
	close_ends();
	/* If there is no memory for another page, the map stays until the next script or the end of the library. */
	if (seen.mapped)
		(void)mmap(seen_rows(), NODE_SEEN_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		    -1, 0);
	seen.mapped = false;
	seen.owner = NULL;
}
