/* See wait.h. */
#include "node/wait.h"

#include "base/clock.h"

#include <poll.h>

enum { LOOK_MS = 100 };

bool
node_wait(int fd, short events, uint64_t deadline, const atomic_bool *stop)
{
	while (!stop || !atomic_load(stop)) {
		uint64_t now = mono_ms(), most = stop ? LOOK_MS : 60000;
		struct pollfd p = {.fd = fd, .events = events};
		if (now >= deadline)
			return false;
		if (poll(&p, 1, (int)(deadline - now < most ? deadline - now : most)) == 1)
			return true;
	}
	return false;
}
