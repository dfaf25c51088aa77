/*
 * Data on a terminal.
 *
 * Others choose the names of processes, files and functions, and whatever a script reads; they may contain what a
 * terminal obeys. So these texts are tamed there. The script's own text is not tamed: a string that is one of its
 * constants is its own, wherever it comes from now. So are macro arguments, which are constants when it is compiled.
 */
#include "show/text.h"

#include "base/tame.h"

#include <string.h>

/* Returns whether a string is one of the program's. */
static bool
is_own(const struct dobj *o, const char *at, size_t n, bool cut)
{
	if (!o || !o->strs || !n)
		return false;
	const char *p = o->strs, *found;
	size_t left = o->nstrs;
	while (left > n && (found = memmem(p, left, at, n))) {
		if (found + n < p + left && (cut || found[n] == '\0') && (found == o->strs || found[-1] == '\0'))
			return true;
		left -= (size_t)(found + 1 - p);
		p = found + 1;
	}
	return false;
}

const char *
text_safe(const struct show *s, struct sbuf *copy, const char *at, size_t *n, bool cut)
{
	*copy = (struct sbuf){0};
	if (!s->safe || !tame_is_needed(at, *n, s->term_utf8) || is_own(s->own, at, *n, cut))
		return at;
	tame_add(copy, at, *n, s->term_utf8);
	*n = copy->failed ? 0 : copy->len;
	return copy->failed ? "" : copy->at;
}

void
text_add_safe(struct sbuf *b, const struct show *s, const char *at, size_t n)
{
	struct sbuf copy;
	const char *text = text_safe(s, &copy, at, &n, false);
	sb_add(b, text, n);
	b->failed |= copy.failed;
	sb_free(&copy);
}
