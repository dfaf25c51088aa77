/* Packets: four bytes of length, big-endian, then a term. The term is validated before anything decodes it. */
#include "node/frame.h"
#include "node/term.h"
#include "port/port.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

enum { LARGEST = 256 << 20 };

static bool
read_all(int fd, char *at, size_t len)
{
	while (len) {
		ssize_t n = read(fd, at, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

static bool
write_all(int fd, const char *at, size_t len)
{
	while (len) {
		ssize_t n = write(fd, at, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

bool
packet_read(int fd, ei_x_buff *x, int *index)
{
	unsigned char head[4];
	int version;
	if (!read_all(fd, (char *)head, sizeof head))
		return false;
	uint32_t len = (uint32_t)head[0] << 24 | (uint32_t)head[1] << 16 | (uint32_t)head[2] << 8 | head[3];
	if (len > LARGEST)
		return false;
	if (!frame_room(x, len))
		return false;
	*index = 0;
	x->index = (int)len;
	return read_all(fd, x->buff, len) && term_len_versioned(x->buff, len) == len &&
	       ei_decode_version(x->buff, index, &version) == 0;
}

bool
packet_write(int fd, const ei_x_buff *x)
{
	uint32_t len = (uint32_t)x->index;
	char head[4] = {(char)(len >> 24), (char)(len >> 16), (char)(len >> 8), (char)len};
	return write_all(fd, head, sizeof head) && write_all(fd, x->buff, len);
}
