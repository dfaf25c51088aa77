/*
 * The command as the helper of an Erlang node (erltrace --port): compiler and consumer of one handle, outside of the VM
 * that they serve.
 *
 * The node owns a port with {packet, 4} on file descriptors 3 (in) and 4 (out). Packets are external terms.
 *
 *   node → program   {Id, Command}              one at a time
 *   program → node   {request, Ref, Request}    while it works on it: for the agent (erltrace_agent)
 *   node → program   {Ref, Reply}
 *   program → node   {reply, Id, Result}        the end of the command
 *
 * When the node closes the port, the program closes its handle and ends. There is one thread, and struct port is all of
 * its state.
 */
#ifndef ET_PORT_PORT_H
#define ET_PORT_PORT_H

#include "erltrace.h"

#include <ei.h>

#include <stdbool.h>
#include <stddef.h>

enum { PORT_IN = 3, PORT_OUT = 4 };

struct port {
	int in, out;
	struct et *h;
	FILE *nowhere;     /* the library's output stream, unused because output goes to terms */
	bool binaries;     /* strings as binaries, otherwise as lists */
	bool closed;       /* the node asked to end */
	bool alerts;       /* alert() as {alert, Map}, and alerts over aggregations also while they go on */
	unsigned cflags;   /* flags for compiling */
	bool going;        /* et_go() has been called */
	bool done;         /* tracing is over and everything was consumed */
	ei_x_buff records; /* elements of a list: consumed, but not asked for yet */
	unsigned nrecords;
	unsigned nactions;       /* in the current record */
	unsigned long long lost; /* records that did not fit into `records` */
};

/* Runs the whole program and returns its exit status. */
int port_main(void);

/* packet.c: reads a packet and decodes the version byte. The term is at *index of x->buff. Returns false if the node
 * is gone. */
bool packet_read(int fd, ei_x_buff *x, int *index);
bool packet_write(int fd, const ei_x_buff *x);

/* terms.c: values as terms. */
void term_text(const struct port *p, ei_x_buff *x, const char *text, size_t len);
void term_string(const struct port *p, ei_x_buff *x, const char *text);
void term_value(const struct port *p, ei_x_buff *x, const struct et_value *v);
void term_probe(const struct port *p, ei_x_buff *x, const struct et_probe *probe);
/* A stack as text, one frame per line, becomes a list of strings. */
void term_lines(const struct port *p, ei_x_buff *x, const char *text);
/* Returns a binary, atom or number from the node as text on the heap. Returns NULL if it is something else or
 * contains a NUL. */
char *term_to_text(const ei_x_buff *x, int *index);

/* consume.c: the records. All of these append to p->records. */
void consume_handlers(struct port *p);
/* One turn: does what is due. Returns 0, or -1 with et_errno(). */
int consume_turn(struct port *p);
/* Adds {ok, Records} or ok. The records are forgotten then. */
void consume_take(struct port *p, ei_x_buff *x);

/* walk.c: {ok, [{Agg, Keys, Value}]} or ok. */
struct walk_opts {
	bool named; /* {Name, Agg, Keys, Value} */
	bool keep;  /* keep the values for the next walk */
	char **only;
	unsigned nonly; /* 0: all */
};
int walk_take(struct port *p, const struct walk_opts *o, ei_x_buff *x);

/* command.c: carries out the command at *index of in and appends its result to out. */
void command(struct port *p, const ei_x_buff *in, int index, ei_x_buff *out);

#endif
