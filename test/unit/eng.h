/*
 * What the engine's tests share: an engine with hand-made clauses on named probes, its records kept in an array, and
 * the value that a few instructions leave in register 0.
 */
#ifndef ET_TEST_ENG_H
#define ET_TEST_ENG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef stop /* cmocka 2 defines it; engines have one */

#include "asm.h"

enum { REC_MAX = 4096, REC_DATA = 2600 };

struct rec {
	struct eng_rec r;
	unsigned shard;
	char data[REC_DATA];
};

struct recs {
	struct engine *e;
	const struct dobj *o;
	unsigned n;
	struct rec at[REC_MAX];
};

static inline void
recs_add(void *arg, unsigned shard, const struct eng_rec *r)
{
	struct recs *rs = arg;
	assert_true(rs->n < REC_MAX);
	struct rec *to = &rs->at[rs->n++];
	to->r = *r;
	to->shard = shard;
	const struct eng_epid *ep = engine_user.epid(rs->e, r->epid);
	assert_non_null(ep);
	uint32_t size = r->fault >= 0 ? 0 : rs->o->groups[ep->group].recsize;
	memcpy(to->data, r->data, size < REC_DATA ? size : REC_DATA);
	to->r.data = to->data;
}

static inline uint64_t
rec_u64(const struct rec *r, size_t off)
{
	uint64_t v;
	memcpy(&v, r->data + off, 8);
	return v;
}

static inline void
drain(struct engine *e, const struct as *a, struct recs *rs)
{
	rs->e = e;
	rs->o = &a->o;
	rs->n = 0;
	engine_user.drain(e, recs_add, rs);
}

static inline struct engine *
eng_new(struct as *a, const struct eng_conf *c)
{
	struct why why = {""};
	as_done(a, c);
	struct engine *e = engine_user.create(&a->o, c, &why);
	if (!e)
		fail_msg("%s", why.text);
	return e;
}

/* Probe ids as the product has them: 1 BEGIN, 2 END, 3 ERROR, others "test:mod:func:name". */
static inline unsigned
eng_bind(struct engine *e, uint32_t id, unsigned clause)
{
	static const char *const names[4][4] = {{"test", "mod", "func", "name"}, {"dtrace", "", "", "BEGIN"},
	    {"dtrace", "", "", "END"}, {"dtrace", "", "", "ERROR"}};
	int index = engine_user.bind(e, id, names[id < 4 ? id : 0], clause);
	assert_true(index >= 0);
	return (unsigned)index;
}

static inline void
eng_go(struct engine *e)
{
	struct why why = {""};
	assert_true(engine_user.start(e, &why));
}

static inline void
fire(struct engine *e, unsigned probe)
{
	struct firing f = {.probe = probe, .thread = 1};
	engine_user.fire(e, &f);
}

static inline struct eng_status
status(struct engine *e)
{
	struct eng_status s;
	engine_user.status(e, &s);
	return s;
}

/* ---- the value of a few instructions ---- */

struct outcome {
	int fault; /* -1: none */
	uint64_t value, illval;
	char text[REC_DATA]; /* when asked for as a string */
};

/* Ends the clause with trace(r0) as `kind`, runs it once with these arguments, and says what came of it. */
static inline struct outcome
outcome_with(struct as *a, enum dobj_kind kind, const struct eng_conf *c, struct firing *f)
{
	static struct recs rs;
	struct outcome out = {.fault = -1};
	int32_t field = as_field(a, kind, 8);
	as_op(a, DIF_RECB, 0, 0, 0, 0);
	as_op(a, DIF_REC, 0, 0, 0, field);
	as_op(a, DIF_RECE, 0, 0, 0, 0);
	as_end(a);
	struct engine *e = eng_new(a, c);
	f->probe = eng_bind(e, 4, 0);
	eng_go(e);
	engine_user.fire(e, f);
	drain(e, a, &rs);
	assert_int_equal(rs.n, 1);
	out.fault = rs.at[0].r.fault;
	out.illval = rs.at[0].r.fault_value;
	if (out.fault < 0 && kind == DK_INT)
		out.value = rec_u64(&rs.at[0], 0);
	else if (out.fault < 0)
		memcpy(out.text, rs.at[0].data, REC_DATA);
	engine_user.destroy(e);
	return out;
}

static inline struct outcome
outcome(struct as *a, enum dobj_kind kind)
{
	struct eng_conf c = as_conf();
	struct firing f = {.thread = 1};
	return outcome_with(a, kind, &c, &f);
}

static inline void
assert_value(struct as *a, uint64_t value)
{
	struct outcome o = outcome(a, DK_INT);
	assert_int_equal(o.fault, -1);
	assert_int_equal(o.value, value);
}

static inline void
assert_fault(struct as *a, enum dif_fault fault, uint64_t illval)
{
	struct outcome o = outcome(a, DK_INT);
	assert_int_equal(o.fault, (int)fault);
	assert_int_equal(o.illval, illval);
}

#endif
