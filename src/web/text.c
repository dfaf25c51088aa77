/* Text in JSON, by the same rules as --json, and attaching with retries. */
#include "web/web.h"
#include "show/text.h"

#include <time.h>

void
web_text(struct sbuf *b, const char *text, size_t n)
{
	json_quote(b, text, n);
}

const char web_no_kernel[] = "this server shows Erlang nodes only: probes of the kernel and of other processes need "
			     "'erltrace serve --kernel'";

/* A server attaches again and again. A node that is still detaching the last one may refuse the next. */
int
web_attach(struct et *h, const char *node, const char *cookie, const atomic_bool *stop)
{
	for (unsigned i = 0; i < 4 && !atomic_load(stop); i++) {
		if (et_attach(h, node, cookie) == 0)
			return 0;
		if (i < 3)
			nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	}
	return -1;
}
