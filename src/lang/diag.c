/*
 * Errors of the compiler: made once (cc_error), shown once (diag_format).
 *
 * A diag keeps at most a window of the source line around the spot, so an error
 * in a line of many megabytes costs no more than one in a short line.
 */
#include "base/sbuf.h"
#include "base/tame.h"
#include "lang/cc.h"
#include "lang/tags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	WINDOW = 100,      /* columns of source shown */
	LEAD = 40,         /* columns shown before the spot when the line is cut */
	LONGEST_MSG = 4000 /* longest message in bytes, because names in it may have any length */
};

static const char *const tags[] = {
#define X(tag, meaning) "D_" #tag,
    ET_TAGS(X) ET_TAGS_KERNEL(X)
#undef X
};

bool
tag_known(const char *tag)
{
	for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
		if (strcmp(tags[i], tag) == 0)
			return true;
	return false;
}

void
diag_free(struct diag *d)
{
	free(d->tag);
	free(d->file);
	free(d->msg);
	free(d->hint);
	free(d->source);
	*d = (struct diag){0};
}

/*
 * Appends n bytes of foreign text so that no byte of it can do anything to a terminal. Tabs stay if `tabs` is set.
 * Other control bytes and bytes that are not UTF-8 become '?'.
 */
static void
add_safely(struct sbuf *b, const char *s, size_t n, bool tabs)
{
	for (size_t i = 0; i < n;) {
		const unsigned char *u = (const unsigned char *)s + i;
		size_t len = utf8_len(u, n - i);
		bool is_c1 = len == 2 && u[0] == 0xc2 && u[1] < 0xa0;
		if (len == 1 && *u == '\t' && tabs)
			sb_addc(b, '\t');
		else if (!len || is_c1 || *u < 0x20 || *u == 0x7f)
			sb_addc(b, '?');
		else
			sb_add(b, u, len);
		i += len ? len : 1;
	}
}

/* Returns the last place at or before `at` where bytes can be cut without splitting a character. */
static size_t
cut_before(const char *s, size_t from, size_t at)
{
	for (int i = 0; i < 3 && at > from && ((unsigned char)s[at] & 0xc0) == 0x80; i++)
		at--;
	return at;
}

/* Returns the source line around the spot. *col (from 1) and *len tell where the caret goes, in bytes of that text. */
static char *
excerpt(const struct cc *cc, const struct pos *pos, uint32_t *col, uint32_t *len)
{
	if (!cc->text || pos->off > cc->len || !pos->line)
		return NULL;
	const char *text = cc->text;
	size_t at = pos->off, from = at, to = at;
	while (from > 0 && at - from < LEAD + WINDOW && text[from - 1] != '\n')
		from--;
	while (to < cc->len && to - at < WINDOW && text[to] != '\n' && text[to] != '\r')
		to++;
	bool cut_front = from > 0 && text[from - 1] != '\n';
	if (at - from > WINDOW - LEAD && (cut_front || to - from > WINDOW)) {
		from = cut_before(text, from, at - LEAD);
		cut_front = true;
	}
	bool cut_back = to < cc->len && text[to] != '\n' && text[to] != '\r';
	if (to - from > WINDOW) {
		to = cut_before(text, at, from + WINDOW);
		cut_back = true;
	}
	struct sbuf b = {0};
	if (cut_front)
		sb_adds(&b, "...");
	/* A replaced byte is still one byte, so offsets stay right. */
	add_safely(&b, text + from, at - from, true);
	*col = (uint32_t)b.len + 1;
	add_safely(&b, text + at, to - at, true);
	uint32_t room = (uint32_t)b.len + 1 - *col;
	*len = pos->len < room ? pos->len : room;
	if (cut_back)
		sb_adds(&b, "...");
	return sb_take(&b);
}

static char *
safe_text(const char *s)
{
	struct sbuf b = {0};
	size_t n = strlen(s);
	size_t keep = n > LONGEST_MSG ? cut_before(s, 0, LONGEST_MSG) : n;
	add_safely(&b, s, keep, false);
	if (keep < n)
		sb_adds(&b, "...");
	return sb_take(&b);
}

/* Fills in the diag. If there is no memory for that, the tag is NULL. */
static void
describe(struct cc *cc, const struct pos *pos, const char *tag, const char *hint, const char *fmt, va_list ap)
{
	struct diag d = {0};
	struct sbuf b = {0};
	sb_vprintf(&b, fmt, ap);
	char *raw = sb_take(&b);
	d.msg = raw ? safe_text(raw) : NULL;
	free(raw);
	d.tag = strdup(tag);
	d.hint = hint ? safe_text(hint) : NULL;
	if (pos->line) {
		d.line = pos->line;
		d.file = safe_text(pos->file ? pos->file : "<built-in>");
		d.source = excerpt(cc, pos, &d.caret, &d.len);
		d.col = pos->col;
	}
	diag_free(cc->diag);
	if (d.msg && d.tag && (!hint || d.hint) && (!pos->line || d.file))
		*cc->diag = d;
	else
		diag_free(&d);
}

_Noreturn void
cc_error(struct cc *cc, struct pos pos, const char *tag, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	describe(cc, &pos, tag, NULL, fmt, ap);
	va_end(ap);
	longjmp(*cc->fail, 1);
}

_Noreturn void
cc_error_hint(struct cc *cc, struct pos pos, const char *tag, const char *hint, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	describe(cc, &pos, tag, hint, fmt, ap);
	va_end(ap);
	longjmp(*cc->fail, 1);
}

/* The line of blanks, a caret and tildes below the excerpt. Tabs are kept so that it lines up. */
static void
add_caret(struct sbuf *b, const struct diag *d)
{
	const unsigned char *s = (const unsigned char *)d->source;
	size_t n = strlen(d->source), spot = d->caret - 1 < n ? d->caret - 1 : n;
	for (size_t i = 0; i < spot;) {
		size_t len = utf8_len(s + i, n - i);
		sb_addc(b, s[i] == '\t' ? '\t' : ' ');
		i += len ? len : 1;
	}
	sb_addc(b, '^');
	size_t end = spot + d->len < n ? spot + d->len : n;
	size_t i = spot < n ? spot + (utf8_len(s + spot, n - spot) ? utf8_len(s + spot, n - spot) : 1) : end;
	while (i < end) {
		size_t len = utf8_len(s + i, n - i);
		sb_addc(b, '~');
		i += len ? len : 1;
	}
	sb_addc(b, '\n');
}

char *
diag_format(const struct diag *d, bool errtags)
{
	struct sbuf b = {0};
	if (!d->tag) {
		sb_adds(&b, "out of memory\n");
		return sb_take(&b);
	}
	if (d->file && d->col)
		sb_printf(&b, "%s:%u:%u: ", d->file, d->line, d->col);
	else if (d->line)
		sb_printf(&b, "line %u: ", d->line);
	if (errtags)
		sb_printf(&b, "[%s] ", d->tag);
	sb_printf(&b, "%s\n", d->msg);
	if (d->source) {
		sb_printf(&b, "%s\n", d->source);
		add_caret(&b, d);
	}
	if (d->hint)
		sb_printf(&b, "  %s\n", d->hint);
	return sb_take(&b);
}
