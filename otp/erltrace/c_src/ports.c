/* See ports.h. One lock for each table: ports are opened and get busy rarely. */
#include "ports.h"

#include "spin.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef ET_TINY
enum { MAX_PORTS = 4, MAX_AWAY = 2, MAX_WAITS = 2 };
#else
enum { MAX_PORTS = 1 << 14, MAX_AWAY = 64, MAX_WAITS = 64 };
#endif

struct port_row {
	ERL_NIF_TERM port, owner; /* port is 0 if free */
	char name[PORT_NAME];
};

struct ports {
	spin lock;
	unsigned away; /* no row is further than this from the place that its port hashes to */
	struct port_row at[MAX_PORTS];
	spin waitlock;
	atomic_uint nwaits;
	struct port_wait waits[MAX_WAITS];
};

struct ports *
ports_new(void)
{
	return calloc(1, sizeof(struct ports));
}

void
ports_free(struct ports *t)
{
	free(t);
}

/* Probing from the place that the port hashes to; the lock is held. */
static struct port_row *
find(struct ports *t, ERL_NIF_TERM port, bool make)
{
	unsigned start = (unsigned)((port >> 4) % MAX_PORTS);
	struct port_row *unused = NULL;
	unsigned away = 0;
	for (unsigned i = 0; i < MAX_AWAY && (i <= t->away || (make && !unused)); i++) {
		struct port_row *r = &t->at[(start + i) % MAX_PORTS];
		if (r->port == port)
			return r;
		if (!r->port && !unused) {
			unused = r;
			away = i;
		}
	}
	if (!make || !unused)
		return NULL;
	if (away > t->away)
		t->away = away;
	*unused = (struct port_row){.port = port};
	return unused;
}

void
ports_add(struct ports *t, ERL_NIF_TERM port, ERL_NIF_TERM owner, const char *name)
{
	spin_lock(&t->lock);
	struct port_row *r = find(t, port, true);
	if (r) {
		r->owner = owner;
		if (name)
			snprintf(r->name, sizeof r->name, "%s", name);
	}
	spin_unlock(&t->lock);
}

void
ports_remove(struct ports *t, ERL_NIF_TERM port)
{
	spin_lock(&t->lock);
	struct port_row *r = find(t, port, false);
	if (r)
		r->port = 0;
	spin_unlock(&t->lock);
}

ERL_NIF_TERM
ports_find(struct ports *t, ERL_NIF_TERM port, char buf[PORT_NAME])
{
	ERL_NIF_TERM owner = 0;
	buf[0] = '\0';
	spin_lock(&t->lock);
	struct port_row *r = find(t, port, false);
	if (r) {
		memcpy(buf, r->name, PORT_NAME);
		owner = r->owner;
	}
	spin_unlock(&t->lock);
	return owner;
}

void
ports_wait(struct ports *t, struct port_wait w)
{
	spin_lock(&t->waitlock);
	unsigned n = atomic_load_explicit(&t->nwaits, memory_order_relaxed);
	if (n == MAX_WAITS)
		memmove(t->waits, t->waits + 1, --n * sizeof *t->waits); /* the oldest may have ended long ago */
	t->waits[n] = w;
	atomic_store_explicit(&t->nwaits, n + 1, memory_order_release);
	spin_unlock(&t->waitlock);
}

bool
ports_resumed(struct ports *t, ERL_NIF_TERM process, struct port_wait *w)
{
	bool found = false;
	if (!atomic_load_explicit(&t->nwaits, memory_order_acquire))
		return false;
	spin_lock(&t->waitlock);
	unsigned n = atomic_load_explicit(&t->nwaits, memory_order_relaxed);
	for (unsigned i = 0; i < n && !found; i++) {
		if (t->waits[i].process != process)
			continue;
		found = true;
		*w = t->waits[i];
		t->waits[i] = t->waits[n - 1];
		atomic_store_explicit(&t->nwaits, n - 1, memory_order_release);
	}
	spin_unlock(&t->waitlock);
	return found;
}
