/* Where something listens: an address of IPv4 or of IPv6, and a port. */
#ifndef ET_NODE_END_H
#define ET_NODE_END_H

#include <netinet/in.h>

union node_end {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static inline socklen_t
end_size(const union node_end *e)
{
	return e->any.sa_family == AF_INET6 ? sizeof e->v6 : sizeof e->v4;
}

static inline unsigned
end_port(const union node_end *e)
{
	return ntohs(e->any.sa_family == AF_INET6 ? e->v6.sin6_port : e->v4.sin_port);
}

/* This machine, by IPv4 and by IPv6. */
static inline union node_end
end_here(unsigned port)
{
	return (union node_end){
	    .v4 = {.sin_family = AF_INET, .sin_port = htons((in_port_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}}};
}

static inline union node_end
end_here6(unsigned port)
{
	return (union node_end){
	    .v6 = {.sin6_family = AF_INET6, .sin6_port = htons((in_port_t)port), .sin6_addr = IN6ADDR_LOOPBACK_INIT}};
}

#endif
