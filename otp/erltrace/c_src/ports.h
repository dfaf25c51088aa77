/*
 * What is kept of ports: their names and owners, which the tracer is told only
 * when they are opened, and the processes that wait for a busy one.
 *
 * Memory is fixed; a port that does not fit has no name. Terms kept here are
 * words that stay true: local pids, local ports, atoms.
 */
#ifndef ERLTRACE_PORTS_H
#define ERLTRACE_PORTS_H

#include <erl_nif.h>

#include <stdbool.h>
#include <stddef.h>

enum { PORT_NAME = 64 };

struct ports;

struct ports *ports_new(void);
void ports_free(struct ports *t);

/* A port was opened, or its owner changed: name NULL leaves the name. */
void ports_add(struct ports *t, ERL_NIF_TERM port, ERL_NIF_TERM owner, const char *name);
void ports_remove(struct ports *t, ERL_NIF_TERM port);
/* Its name into buf, "" when it is not known; its owner, or 0. */
ERL_NIF_TERM ports_find(struct ports *t, ERL_NIF_TERM port, char buf[PORT_NAME]);

/* A process that waits until a port is no longer busy. */
struct port_wait {
	ERL_NIF_TERM process, port;
	ERL_NIF_TERM node; /* the other node, for a connection to one; else 0 */
};
void ports_wait(struct ports *t, struct port_wait w);
/* The process runs again: true when it waited. Cheap when nobody waits. */
bool ports_resumed(struct ports *t, ERL_NIF_TERM process, struct port_wait *w);

#endif
