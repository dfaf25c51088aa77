/*
 * What is kept about ports: their names and owners, which the tracer learns only when they are opened, and the
 * processes that wait for a busy one.
 *
 * Memory is fixed; a port that does not fit has no name. Terms kept here are words that stay valid: local pids, local
 * ports, atoms.
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

/* A port was opened, or its owner changed; if name is NULL the name stays. */
void ports_add(struct ports *t, ERL_NIF_TERM port, ERL_NIF_TERM owner, const char *name);
void ports_remove(struct ports *t, ERL_NIF_TERM port);
/* Copies its name into buf, "" if unknown. Returns its owner, or 0. */
ERL_NIF_TERM ports_find(struct ports *t, ERL_NIF_TERM port, char buf[PORT_NAME]);

/* A process that waits until a port is no longer busy. */
struct port_wait {
	ERL_NIF_TERM process, port;
	ERL_NIF_TERM node; /* the other node, for a connection to one; else 0 */
};
void ports_wait(struct ports *t, struct port_wait w);
/* Called when the process runs again. Returns true if it waited. Cheap if nobody waits. */
bool ports_resumed(struct ports *t, ERL_NIF_TERM process, struct port_wait *w);

#endif
