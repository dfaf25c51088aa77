/* Small hand-made programs, each of one thing that clauses do often: what is measured. */
#ifndef ET_BENCH_PROGRAMS_H
#define ET_BENCH_PROGRAMS_H

#include "../test/unit/asm.h"

static inline void
make_empty(struct as *a)
{
	as_clause(a);
	as_end(a);
}

static inline void
make_count(struct as *a)
{
	as_key(a, DK_INT, 8, true);
	int32_t agg = as_agg(a, AGG_COUNT, 1);
	as_clause(a);
	as_op(a, DIF_LDARG, 0, 0, 0, 0);
	as_op(a, DIF_STSL, 0, 0, 0, 0);
	as_op(a, DIF_AGG, 1, 0, 1, agg);
	as_end(a);
}

/* What needs no interpreter: see decode.c. */
static inline void
make_count_by_name(struct as *a)
{
	as_key(a, DK_STRING, 0, false);
	int32_t agg = as_agg(a, AGG_COUNT, 1);
	as_clause(a);
	as_op(a, DIF_LDBI, 0, 0, 0, DIF_BI_PROBENAME);
	as_op(a, DIF_STSL, 0, 0, 0, 0);
	as_op(a, DIF_AGG, 0, 0, 0, agg);
	as_end(a);
}

static inline void
make_quantize(struct as *a)
{
	as_key(a, DK_STRING, 0, false);
	int32_t agg = as_agg(a, AGG_QUANTIZE, 1);
	as_clause(a);
	as_op(a, DIF_LDBI, 0, 0, 0, DIF_BI_PROBENAME);
	as_op(a, DIF_STSL, 0, 0, 0, 0);
	as_op(a, DIF_LDARG, 1, 0, 0, 1);
	as_op(a, DIF_MOVI, 2, 0, 0, 1);
	as_op(a, DIF_AGG, 1, 0, 2, agg);
	as_end(a);
}

static inline void
make_assoc(struct as *a)
{
	as_key(a, DK_INT, 8, true);
	int32_t v = as_var(a, DS_GLOBAL, DK_INT, 8);
	as_assoc(a, 1);
	as_clause(a);
	as_op(a, DIF_LDARG, 0, 0, 0, 0);
	as_op(a, DIF_STSL, 0, 0, 0, 0);
	as_op(a, DIF_LDARG, 1, 0, 0, 1);
	as_op(a, DIF_STA, 0, 1, 0, v);
	as_op(a, DIF_LDA, 2, 0, 0, v);
	as_end(a);
}

static inline void
make_assoc_free(struct as *a)
{
	make_assoc(a);
	a->o.ncode -= 2;
	as_now(a)->ncode -= 2;
	as_op(a, DIF_MOVI, 1, 0, 0, 0);
	as_op(a, DIF_STA, 0, 1, 0, 0);
	as_end(a);
}

static inline void
make_self(struct as *a)
{
	int32_t v = as_var(a, DS_THREAD, DK_INT, 8);
	as_clause(a);
	as_op(a, DIF_LDARG, 0, 0, 0, 1);
	as_op(a, DIF_STT, 0, 0, 0, v);
	as_op(a, DIF_LDT, 1, 0, 0, v);
	as_end(a);
}

static inline void
make_self_free(struct as *a)
{
	make_self(a);
	a->o.ncode--;
	as_now(a)->ncode--;
	as_op(a, DIF_MOVI, 0, 0, 0, 0);
	as_op(a, DIF_STT, 0, 0, 0, 0);
	as_end(a);
}

static inline void
make_timestamp(struct as *a)
{
	as_clause(a);
	as_op(a, DIF_LDBI, 0, 0, 0, DIF_BI_TIMESTAMP);
	as_end(a);
}

static inline void
make_record(struct as *a)
{
	as_clause(a);
	int32_t f = as_field(a, DK_INT, 8);
	as_op(a, DIF_LDARG, 0, 0, 0, 0);
	as_op(a, DIF_RECB, 0, 0, 0, 0);
	as_op(a, DIF_REC, 0, 0, 0, f);
	as_op(a, DIF_RECE, 0, 0, 0, 0);
	as_end(a);
}

enum { INSNS = 200 };

static inline void
make_insns(struct as *a)
{
	as_clause(a);
	as_op(a, DIF_LDARG, 0, 0, 0, 0);
	as_op(a, DIF_MOVI, 1, 0, 0, 3);
	for (int i = 0; i < INSNS / 4; i++) {
		as_op(a, DIF_ADD, 2, 0, 1, 0);
		as_op(a, DIF_XOR, 3, 2, 0, 0);
		as_op(a, DIF_SLT, 4, 3, 2, 0);
		as_op(a, DIF_EXT, 5, 3, 0, -32);
	}
	as_end(a);
}

/* An engine that has the program as the only clause of *probe; NULL with the reason. */
static inline struct engine *
start_program(void (*make)(struct as *a), struct eng_conf *c, unsigned *probe, struct why *why)
{
	static struct as a;
	static const char *const names[4] = {"bench", "", "", "fire"};
	as_init(&a);
	make(&a);
	as_now(&a)->nslots = 2; /* as many as a compiler would use */
	as_done(&a, c);
	struct engine *e = engine_user.create(&a.o, c, why);
	int bound = e ? engine_user.bind(e, 4, names, 0) : -1;
	*probe = (unsigned)bound;
	return bound >= 0 && engine_user.start(e, why) ? e : NULL;
}

#endif
