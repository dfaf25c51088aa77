/*
 * The way to nodes whose distribution runs over TLS. ei cannot speak TLS, and OTP can: a helper, an Erlang without a
 * node name that has the TLS options of the cluster's nodes, carries the bytes of connections (erltrace_tunnel.erl). To
 * the rest of this folder a connection through it is like any other.
 *
 * The helper ends with the process that has started it, however that ends. Threads may connect at the same time, and
 * handles may share it: it ends when the last has stopped it.
 */
#ifndef ET_NODE_TUNNEL_H
#define ET_NODE_TUNNEL_H

#include "base/why.h"
#include "node/end.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct tunnel {
	atomic_uint users;
	pid_t pid;
	int fd;        /* it ends when this is closed */
	char name[40]; /* of its socket, which has no file */
	char token[33];
};

/* options: words of a command line of erl, such as "-ssl_dist_optfile /etc/shop/ssl.conf". beam: the helper's module.
 * Returns NULL on failure. */
struct tunnel *tunnel_start(
    const char *options, const void *beam, size_t size, const atomic_bool *stop, struct why *why);
struct tunnel *tunnel_share(struct tunnel *t); /* to be stopped once more */
void tunnel_stop(struct tunnel *t);
/* Whether the helper is still there. Not for several threads at a time. */
bool tunnel_lives(struct tunnel *t);

/* Connects fd, a socket of AF_UNIX, to a node in that network (-1: our own). Returns 0 or an errno: EPROTO if
 * TLS has failed, EHOSTUNREACH if nobody answers there, both with the reason in `text`. */
int tunnel_connect(const struct tunnel *t, int fd, int net, const union node_end *node, const char *host,
    uint64_t deadline, const atomic_bool *stop, char *text, size_t size);

#endif
