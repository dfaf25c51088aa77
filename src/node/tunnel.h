/*
 * The way to nodes whose distribution runs over TLS. ei cannot speak TLS, and OTP can: a helper, an Erlang without a
 * node name that has the TLS options of the cluster's nodes, carries the bytes of connections (erltrace_tunnel.erl). To
 * the rest of this folder a connection through it is like any other.
 *
 * The helper ends with the process that has started it, however that ends. Threads may connect at the same time.
 */
#ifndef ET_NODE_TUNNEL_H
#define ET_NODE_TUNNEL_H

#include "base/why.h"

#include <netinet/in.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct tunnel {
	pid_t pid;
	int fd;        /* it ends when this is closed */
	char name[40]; /* of its socket, which has no file */
	char token[33];
};

/* options: words of a command line of erl, such as "-ssl_dist_optfile /etc/shop/ssl.conf". beam: the helper's module.
 * Returns NULL on failure. */
struct tunnel *tunnel_start(
    const char *options, const void *beam, size_t size, const atomic_bool *stop, struct why *why);
void tunnel_stop(struct tunnel *t);

/* Connects fd, a socket of AF_UNIX, to a node. Returns 0 or an errno. If the node was reached but not connected to, the
 * reason is in `text`. */
int tunnel_connect(const struct tunnel *t, int fd, const struct sockaddr_in *node, const char *host, uint64_t deadline,
    const atomic_bool *stop, char *text, size_t size);

#endif
