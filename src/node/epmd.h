/* epmd, which knows the nodes of a machine and where they listen. */
#ifndef ET_NODE_EPMD_H
#define ET_NODE_EPMD_H

#include <netdb.h>
#include <stdatomic.h>
#include <stdbool.h>

enum epmd_answer {
	EPMD_ANSWERED,
	EPMD_NONE,   /* nothing listens there; errno says why */
	EPMD_SILENT, /* it did not answer in time */
};

/* Called with each name and the port that the node listens on, until it returns false. */
typedef bool epmd_f(void *arg, const char *alive, unsigned port);

/* Returns $ERL_EPMD_PORT, or the usual one. */
int epmd_port(void);
/* Asks the epmd at the first of the addresses that can be reached, which is left in *at. Each step has `ms`; stop may
 * be NULL. */
enum epmd_answer epmd_ask(const struct addrinfo **at, unsigned ms, const atomic_bool *stop, epmd_f *fn, void *arg);
/* Asks that of this machine. */
enum epmd_answer epmd_ask_here(epmd_f *fn, void *arg);
/* Asks the one at this port of a network of this machine; see ns_socket(). */
enum epmd_answer epmd_ask_inside(int net, int port, epmd_f *fn, void *arg);

#endif
