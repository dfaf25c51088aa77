/* Memory budgets: of a script, and of the server for all scripts. */
#include "web/web.h"

#include <stdlib.h>

struct memory_budget *
budget_new(size_t most, struct memory_budget *up)
{
	struct memory_budget *b = calloc(1, sizeof *b);
	if (!b)
		return NULL;
	atomic_init(&b->refs, 1);
	atomic_init(&b->used, 0);
	b->most = most;
	b->up = budget_ref(up);
	return b;
}

struct memory_budget *
budget_ref(struct memory_budget *b)
{
	if (b)
		atomic_fetch_add(&b->refs, 1);
	return b;
}

void
budget_drop(struct memory_budget *b)
{
	while (b && atomic_fetch_sub(&b->refs, 1) == 1) {
		struct memory_budget *up = b->up;
		free(b);
		b = up;
	}
}

bool
budget_take(struct memory_budget *b, size_t n)
{
	for (struct memory_budget *at = b; at; at = at->up) {
		size_t before = atomic_fetch_add(&at->used, n);
		if (n <= at->most && before <= at->most - n)
			continue;
		atomic_fetch_sub(&at->used, n);
		for (struct memory_budget *done = b; done != at; done = done->up)
			atomic_fetch_sub(&done->used, n);
		return false;
	}
	return true;
}

void
budget_give(struct memory_budget *b, size_t n)
{
	for (; b; b = b->up)
		atomic_fetch_sub(&b->used, n);
}

bool
charge_to(struct charge *c, size_t bytes)
{
	enum { STEP = 256 << 10 };
	if (bytes <= c->n)
		return true;
	size_t more = (bytes - c->n + STEP - 1) / STEP * STEP;
	if (!budget_take(c->b, more))
		return false;
	c->n += more;
	return true;
}

void
charge_settle(struct charge *c, size_t bytes)
{
	if (c->n > bytes)
		budget_give(c->b, c->n - bytes);
	else if (c->n < bytes && !budget_take(c->b, bytes - c->n))
		return; /* what is taken stays taken */
	c->n = bytes;
}

void
charge_end(struct charge *c)
{
	budget_give(c->b, c->n);
	budget_drop(c->b);
	*c = (struct charge){0};
}
