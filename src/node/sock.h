/*
 * The socket of a connection to a node while it is made. ei waits in read(2) and the like and cannot be interrupted.
 * These functions replace them, so that attaching can be stopped although the node does not answer.
 */
#ifndef ET_NODE_SOCK_H
#define ET_NODE_SOCK_H

#include "node/end.h"
#include "node/wait.h"

#include <ei.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct tunnel;

enum { NODE_ENDS = 8 };

struct node_sock {
	int fd;
	union node_end ends[NODE_ENDS]; /* where the node may be reached: tried in this order (ei knows IPv4 only) */
	unsigned nends;
	bool is_reached;             /* the last attempt came as far as a connection */
	const struct tunnel *tunnel; /* through which it goes; or NULL */
	const char *host;            /* the node's, for the tunnel */
	char text[256];              /* why the tunnel could not connect; "" otherwise */
	int net;                     /* the network to connect in, for ns_socket() */
	const atomic_bool *stop;     /* NULL for never */
};

/* For ei_connect_xinit_ussi(); the context is the struct node_sock, which must live as long as the connection. */
extern ei_socket_callbacks node_sock_callbacks;

#endif
