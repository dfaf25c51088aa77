/* See counted.h. */
#include "counted.h"
#include "event.h"
#include "worker.h"

#include "object/counts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of a probe, by its index. */
enum {
	ALSO_ACTS = 1, /* some clause does more than count */
	IS_LATE = 2,   /* a tick some clause of which looks at aggregations, or ends the script */
};
/* How long a tick waits: 100 us each. If the agent takes longer, what it finds belongs to the next tick. */
enum { PATIENCE = 20000 };

static bool
grow(struct opened *s, unsigned index)
{
	if (index < s->ntraits)
		return true;
	unsigned char *grown = realloc(s->traits, index + 1);
	if (!grown)
		return false;
	memset(grown + s->ntraits, 0, index + 1 - s->ntraits);
	s->traits = grown;
	s->ntraits = index + 1;
	if (s->row->counted)
		s->row->traits = grown; /* it was known before that somebody reads */
	return true;
}

bool
counted_bind(struct opened *s, unsigned index, const char *const names[4], unsigned clause)
{
	const struct dobj *o = &s->row->obj;
	const struct dobj_clause *c = &o->clauses[clause];
	if (!grow(s, index))
		return false;
	if (!counts_only(o, c))
		s->traits[index] |= ALSO_ACTS;
	if (!dobj_cuts(o, c) && !counts_exits(o, c))
		return true;
	enum eng_role role = eng_role_of(names[0], names[3]);
	if (role == ROLE_TICK)
		s->traits[index] |= IS_LATE;
	else if (role != ROLE_BEGIN && role != ROLE_END)
		s->uncounted = "because the script ends, prints or clears where events happen";
	return true;
}

void
counted_conf(struct opened *s, const struct eng_conf *conf)
{
	s->uncounted = !conf->counters               ? "because of counters=off"
		       : conf->forward               ? "because the script has probes of the kernel too"
		       : conf->sample > 1            ? "because a counter does not know processes (sample)"
		       : conf->bufpolicy == BUF_FILL ? "because a full buffer ends the script (bufpolicy=fill)"
						     : NULL;
}

bool
counted_acts(const struct opened *s, unsigned index)
{
	return index >= s->ntraits || s->traits[index] & ALSO_ACTS;
}

bool
counted_may(const struct opened *s, unsigned index)
{
	return s->row && !s->uncounted && !counted_acts(s, index);
}

const char *
counted_begin(struct opened *s, ErlNifPid agent)
{
	if (!s->row || s->started || s->stopped)
		return "the script is not open for counting";
	s->row->wants |= WANT_LOADS;
	s->row->agent = agent;
	s->row->traits = s->traits;
	s->row->counted = true;
	return NULL;
}

/* copyinstr(arg1), as in an event of the function. */
enum { NAME_ARG = 1 };

struct counted_name {
	const char *text;
	size_t len;
	bool stays; /* where it is */
	char buf[1024];
};

static int
name_memory(struct firing *f, unsigned n, const void **mem, size_t *len, struct eng_same *same)
{
	const struct counted_name *name = f->ctx;
	if (n != NAME_ARG || !name->text)
		return DIF_FAULT_BADADDR;
	*mem = name->text;
	*len = name->len + 1;
	if (name->stays)
		*same = (struct eng_same){(uintptr_t)name->text, EV_SAME_TEXT};
	return 0;
}

/* The table of functions may be full. */
static void
name_of(const struct opened *s, ErlNifEnv *env, ERL_NIF_TERM function, struct counted_name *name)
{
	const struct mfa *m = mfa_of(s->hub->mfas, env, function);
	name->stays = m;
	name->text = m ? m->text : name->buf;
	name->len = m ? m->len : ev_mfa_text(env, function, name->buf, sizeof name->buf);
}

void
counted_fold(struct opened *s, unsigned index, ErlNifEnv *env, ERL_NIF_TERM function, uint64_t calls)
{
	static const struct firing_ops ops = {.argmem = name_memory};
	struct counted_name name;
	if (!s->row || !s->running || !calls || !counted_may(s, index))
		return;
	name.text = NULL;
	if (script_looks(s, index) & 1u << NAME_ARG)
		name_of(s, env, function, &name);
	struct firing f = {.probe = index,
	    .shard = s->hub->nshards,
	    .thread = UINT64_MAX,
	    .nargs = NAME_ARG + 1,
	    .args = {[NAME_ARG] = ev_address(NAME_ARG)},
	    .ops = &ops,
	    .ctx = &name,
	    .more = calls - 1};
	engine_user.fire(s->row->engine, &f);
	meter_counted(s->row, index, calls);
}

void
counted_folded(struct opened *s, unsigned ticket)
{
	if (s->row)
		atomic_store_explicit(&s->row->folded, ticket, memory_order_release);
}

/* Only the timers' thread asks. */
bool
counted_before_tick(struct script *row, unsigned index)
{
	if (!row->counted || !(row->traits[index] & IS_LATE))
		return true;
	ErlNifEnv *env = enif_alloc_env();
	if (!env)
		return true;
	unsigned ticket = ++row->asked;
	bool sent = enif_send(NULL, &row->agent, env,
	    enif_make_tuple2(env, enif_make_atom(env, "erltrace_fold"), enif_make_uint(env, ticket)));
	enif_free_env(env);
	for (unsigned i = 0; sent && i < PATIENCE; i++) {
		if (atomic_load_explicit(&row->folded, memory_order_acquire) == ticket)
			return true;
		if (!row->running || worker_hurries())
			return false; /* the last values are still to come */
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	}
	return row->running;
}
