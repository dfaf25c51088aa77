/*
 * Scripts on a node that also have probes of the kernel. They run on the kernel engine. A second engine, in the node,
 * only knows their erlang probes: it switches on what they need and sends each event to a place in the node's code
 * where the program in the kernel waits for it (object/node_event.h).
 *
 * The engine of the handle is the kernel's; these functions do what the other half needs, and nothing if there is none.
 */
#ifndef ET_API_MIXED_H
#define ET_API_MIXED_H

#include "api/handle.h"

/* Whether the handle's programs are about a node and need the kernel engine. */
bool mixed_is(struct et *h);
/* The kernel engine was made with `c`: makes the half in the node. */
int mixed_open(struct et *h, const struct eng_conf *c);
/* An erlang probe of the handle: index is the kernel engine's. Returns false if memory ran out. */
bool mixed_bind(struct et *h, const struct probe *p, unsigned index, unsigned clause);
/* Events of the node begin; everything else is attached. */
int mixed_go(struct et *h);
/* They end. */
void mixed_stop(struct et *h);
void mixed_close(struct et *h);
/* The status of both. */
void mixed_status(struct et *h, struct eng_status *st);

#endif
