/*
 * Whether the dynamic variables of an engine are whole, while nobody uses them.
 */
#ifndef ET_TEST_DYN_H
#define ET_TEST_DYN_H

#include "engine/user/dyn.h" /* before cmocka.h, which has a macro fail() */

#include "eng.h"

/* Each element is in one chain and in one thread's list, nobody holds it, and a number that is 0 is idle. */
static inline void
check_dyn(struct engine *engine)
{
	struct user_engine *e = user_of(engine);
	struct dyn *d = e->dyn;
	unsigned char *seen = calloc(d->end, 1);
	assert_non_null(seen);
	for (unsigned i = 0; i < NSTRIPES; i++) {
		struct stripe *st = &d->stripes[i];
		uint32_t nidle = 0;
		assert_false(atomic_load(&st->changes) & 1);
		for (uint32_t h = 0; h <= d->mask; h++)
			for (uint32_t link = st->heads[h], prev = 0; link; prev = link, link = elem_at(d, link)->next) {
				struct elem *el = elem_at(d, link);
				assert_false(seen[link]++);
				assert_int_equal(el->prev, prev);
				assert_int_equal(atomic_load(&el->held.held), 0);
				bool quick = el->var < e->o->nvars && e->vars[el->var].quick;
				if (el->tprev && el->var < e->o->nvars)
					assert_int_equal(elem_at(d, el->tprev)->tnext, link);
				if (quick && !get_word(elem_value(el)))
					assert_true(el->idle);
				if (el->idle) {
					assert_true(quick && el->idle <= IDLE);
					assert_int_equal(st->idle[el->idle - 1], link);
					nidle++;
				}
			}
		assert_int_equal(nidle, st->nidle);
		for (unsigned k = 0; k < IDLE; k++)
			nidle -= st->idle[k] != 0;
		assert_int_equal(nidle, 0);
		for (unsigned k = 0; k < st->nkept; k++)
			assert_false(seen[st->kept[k]]++);
	}
	for (unsigned c = 0; c < NCLASSES; c++)
		for (uint32_t link = d->free[c]; link; link = elem_at(d, link)->tnext)
			assert_false(seen[link]++);
	free(seen);
}

#endif
