/*
 * What a script with a share would have counted while it rested.
 *
 * Counters that stand still while a script rests would make every rate() too low, and distributions that lack those
 * times would be about quiet times only, because a script rests when a node is busy. So the time of a rest is taken to
 * have been like the first second of the run that follows it. (Not like the last second before it: a script that is
 * ended because it has just cost much would be taken to cost that much always.) What it counted in that second is added
 * again, as many times as the rest was longer, evenly over a time as long as the rest was, so that rates have no
 * peaks. Each row adds whole numbers and keeps what is missing for the next one.
 *
 * The order for a job: values_note(true), values_take() …, values_note(false), values_estimate() unless the time was
 * too short, and from time to time values_give().
 */
#include "export/export.h"

#include <math.h>
#include <stdlib.h>

#define MOST 9e18 /* that an int64_t can have */

/* One number of a row. */
struct guess {
	int64_t noted; /* counted in the first second of this run */
	double whole;  /* to be added since the last estimate */
	int64_t given; /* of it, added */
};

/* A row's numbers: its buckets, its count and its sum. */
static unsigned
numbers_of(const struct family *f)
{
	return f->nbuckets + 2;
}

static int64_t *
noted(struct export_place *p, const struct family *f, struct row *r, unsigned number)
{
	if (!p->noting)
		return NULL;
	if (r->nguesses < numbers_of(f)) {
		/* the buckets come first and may not have been known */
		struct guess *g = calloc(numbers_of(f), sizeof *g);
		if (!g)
			return NULL;
		unsigned tail = numbers_of(f) - 2;
		if (r->nguesses) {
			g[tail] = r->guesses[r->nguesses - 2];
			g[tail + 1] = r->guesses[r->nguesses - 1];
		} else {
			r->next_guessed = p->guessed;
			p->guessed = r;
		}
		free(r->guesses);
		r->guesses = g;
		r->nguesses = numbers_of(f);
	}
	return &r->guesses[number].noted;
}

void
estimate_bucket(struct export_place *p, const struct family *f, struct row *r, unsigned i, uint64_t n)
{
	int64_t *to = noted(p, f, r, i);
	if (to)
		*to += (int64_t)n;
}

void
estimate_count(struct export_place *p, const struct family *f, struct row *r, int64_t n)
{
	int64_t *to = noted(p, f, r, f->nbuckets);
	if (to)
		*to += n;
}

void
estimate_sum(struct export_place *p, const struct family *f, struct row *r, int64_t n)
{
	int64_t *to = noted(p, f, r, f->nbuckets + 1);
	if (to)
		*to = (int64_t)((uint64_t)*to + (uint64_t)n);
}

void
values_note(struct export_script *s, unsigned place, bool on)
{
	pthread_mutex_lock(&s->lock);
	s->places[place]->noting = on;
	for (struct row *r = s->places[place]->guessed; on && r; r = r->next_guessed)
		for (unsigned i = 0; i < r->nguesses; i++)
			r->guesses[i].noted = 0; /* of a run that was too short */
	pthread_mutex_unlock(&s->lock);
}

void
values_estimate(struct export_script *s, unsigned place, double times)
{
	pthread_mutex_lock(&s->lock);
	for (struct row *r = s->places[place]->guessed; r; r = r->next_guessed)
		for (unsigned i = 0; i < r->nguesses; i++) {
			struct guess *g = &r->guesses[i];
			g->whole += (double)g->noted * times - (double)g->given;
			if (fabs(g->whole) > MOST)
				g->whole = 0; /* sums that have gone round */
			g->noted = g->given = 0;
		}
	pthread_mutex_unlock(&s->lock);
}

void
values_give(struct export_script *s, unsigned place, double part)
{
	pthread_mutex_lock(&s->lock);
	struct export_place *p = s->places[place];
	for (struct row *r = p->guessed; r; r = r->next_guessed)
		for (unsigned i = 0; i < r->nguesses; i++) {
			struct guess *g = &r->guesses[i];
			int64_t due = (int64_t)trunc(g->whole * part), n = due - g->given;
			if (g->whole >= 0 ? n <= 0 : n >= 0)
				continue;
			g->given = due;
			if (i + 1 == r->nguesses)
				r->sum += (uint64_t)n;
			else {
				*(i + 2 == r->nguesses ? &r->count : &r->buckets[i]) += (uint64_t)n;
				p->estimated += (uint64_t)n;
			}
		}
	pthread_mutex_unlock(&s->lock);
}
