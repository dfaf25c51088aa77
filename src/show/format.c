/*
 * printf() and printa(): every conversion of D.
 *
 * C's printf carries out a conversion, with a format rebuilt from the parsed flags, width and precision, never from the
 * text of the program, and always with 64-bit numbers.
 */
#include "show/text.h"

#include "object/aggval.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A conversion with its `*` resolved. */
struct conv {
	const struct fmt_piece *p;
	unsigned flags;
	int width; /* 0: none */
	int prec;  /* -1 if none */
};

/* "%" flags width precision size letter, for the arguments of C's printf. */
static void
build(char out[64], const struct conv *c, const char *size, char letter)
{
	char *q = out;
	*q++ = '%';
	static const struct {
		unsigned flag;
		char c;
	} flags[] = {
	    {FMT_LEFT, '-'}, {FMT_PLUS, '+'}, {FMT_SPACE, ' '}, {FMT_ALT, '#'}, {FMT_ZERO, '0'}, {FMT_GROUP, '\''}};
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (c->flags & flags[i].flag)
			*q++ = flags[i].c;
	if (c->width)
		q += snprintf(q, 16, "%d", c->width);
	if (c->prec >= 0)
		q += snprintf(q, 16, ".%d", c->prec);
	while (*size)
		*q++ = *size++;
	*q++ = letter;
	*q = '\0';
}

/* Text in its field: width and '-' count bytes. */
static void
put_padded(struct sbuf *b, const struct conv *c, const char *s, size_t n)
{
	size_t pad = (size_t)c->width > n ? (size_t)c->width - n : 0;
	if (!(c->flags & FMT_LEFT))
		sb_fill(b, ' ', pad);
	sb_add(b, s, n);
	if (c->flags & FMT_LEFT)
		sb_fill(b, ' ', pad);
}

/* The same, cut to the precision. A precision of 0 means none, as in DTrace. */
static void
put_text(struct sbuf *b, const struct conv *c, const char *s, size_t n)
{
	put_padded(b, c, s, c->prec > 0 && n > (size_t)c->prec ? (size_t)c->prec : n);
}

/* Foreign text. cut: as for text_safe(). */
static void
put_data(struct sbuf *b, const struct show *s, const struct conv *c, const char *at, size_t n, bool cut)
{
	struct sbuf copy;
	if (c->prec > 0 && n > (size_t)c->prec) {
		n = (size_t)c->prec;
		cut = true;
	}
	const char *text = text_safe(s, &copy, at, &n, cut);
	put_padded(b, c, text, n);
	b->failed |= copy.failed;
	sb_free(&copy);
}

static void
put_sbuf(struct sbuf *b, const struct conv *c, struct sbuf *t)
{
	if (t->failed)
		b->failed = true;
	else
		put_text(b, c, t->at ? t->at : "", t->len);
	sb_free(t);
}

static uint64_t
masked(const struct val *v)
{
	return v->size >= 1 && v->size < 8 ? v->num & (((uint64_t)1 << (8 * v->size)) - 1) : v->num;
}

static void
put_int(struct sbuf *b, const struct conv *c, const struct val *v)
{
	char f[64], letter = c->p->conv;
	if (letter == 'i')
		letter = 'd';
	if (letter == 'd' && !v->is_signed)
		letter = 'u';
	if (letter == 'p')
		letter = 'x';
	build(f, c, "ll", letter);
	sb_printf(b, f, letter == 'd' ? (unsigned long long)v->num : (unsigned long long)masked(v));
}

static size_t
utf8(char out[4], uint64_t c)
{
	if (c >= 0x110000 || (c >= 0xd800 && c < 0xe000))
		c = 0xfffd;
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

static bool
is_wide(const struct conv *c)
{
	return c->p->size == FMT_SZ_W || c->p->size == FMT_SZ_L;
}

static void
put_char(struct sbuf *b, const struct show *s, const struct conv *c, const struct val *v)
{
	char u[4];
	size_t n = 1;
	struct conv whole = *c;
	whole.prec = -1;
	if (is_wide(c))
		n = utf8(u, masked(v));
	else
		u[0] = (char)v->num;
	if (c->p->conv != 'C') {
		put_data(b, s, &whole, u, n, false);
		return;
	}
	struct sbuf t = {0};
	text_escape(&t, u, n);
	put_sbuf(b, &whole, &t);
}

static void
put_string(struct sbuf *b, const struct show *s, const struct conv *c, const struct val *v)
{
	struct sbuf t = {0};
	size_t len;
	if (v->kind == DK_INT || !v->at) {
		/* Only a foreign object can ask for this. */
		sb_printf(&t, "%lld", (long long)v->num);
	} else if (is_wide(c)) {
		for (size_t i = 0; i + 4 <= v->len; i += 4) {
			uint32_t w;
			char u[4];
			memcpy(&w, v->at + i, 4);
			if (w == 0)
				break;
			sb_add(&t, u, utf8(u, w));
		}
		put_data(b, s, c, t.at ? t.at : "", t.len, false);
		b->failed |= t.failed;
		sb_free(&t);
		return;
	} else if (c->p->conv == 'S')
		text_escape(&t, v->at, strnlen(v->at, v->len));
	else {
		const char *at = text_named(&t, s, v, &len);
		size_t n = strnlen(at, len);
		put_data(b, s, c, at, n, at == v->at && n + 1 == v->size);
		sb_free(&t);
		return;
	}
	put_sbuf(b, c, &t);
}

static void
put_float(struct sbuf *b, const struct conv *c, const struct dobj *o, const struct val *v)
{
	char f[64];
	double d;
	bool is_float = o && v->type < o->ntypes && o->types[v->type].kind == DT_FLOAT;
	if (is_float && v->size == 4) {
		float s;
		uint32_t bits = (uint32_t)v->num;
		memcpy(&s, &bits, sizeof s);
		d = (double)s;
	} else if (is_float)
		memcpy(&d, &v->num, sizeof d);
	else
		d = v->is_signed ? (double)(int64_t)v->num : (double)v->num;
	build(f, c, "", c->p->conv);
	sb_printf(b, f, d);
}

static void
put_addr(struct sbuf *b, const struct show *s, const struct conv *c, const struct val *v)
{
	struct sbuf t = {0};
	if (v->kind >= DK_SYM && v->kind <= DK_UADDR)
		text_sym(&t, s, v);
	else
		text_addr(&t, s, v->pid, v->num);
	put_sbuf(b, c, &t);
}

/* %Y: 1973 Dec  3 17:20:00; %T: RFC 822. Local time, of nanoseconds since 1970. */
static void
put_time(struct sbuf *b, const struct conv *c, const struct val *v)
{
	char text[64] = "";
	struct tm tm;
	int64_t ns = (int64_t)v->num;
	time_t sec = (time_t)(ns / 1000000000 - (ns % 1000000000 < 0));
	if (localtime_r(&sec, &tm))
		strftime(text, sizeof text, c->p->conv == 'Y' ? "%Y %b %e %T" : "%a, %d %b %G %T %Z", &tm);
	put_text(b, c, text, strlen(text));
}

/* %P: the name of a service where the system has one; %I: an address as its text. */
static void
put_net(struct sbuf *b, const struct show *s, const struct conv *c, const struct val *v)
{
	if (c->p->conv == 'I' || v->kind != DK_INT) {
		put_string(b, s, c, v);
		return;
	}
	char text[32], names[1024];
	struct servent se, *found = NULL;
	uint16_t port = (uint16_t)v->num;
	if (getservbyport_r(htons(port), NULL, &se, names, sizeof names, &found) == 0 && found) {
		put_text(b, c, found->s_name, strlen(found->s_name));
		return;
	}
	snprintf(text, sizeof text, "%u", (unsigned)port);
	put_text(b, c, text, strlen(text));
}

static void
put_value(struct sbuf *b, const struct show *s, const struct dobj *o, const struct conv *c, const struct val *v)
{
	switch (c->p->cls) {
	case FMT_C_INT:
		put_int(b, c, v);
		break;
	case FMT_C_CHAR:
		put_char(b, s, c, v);
		break;
	case FMT_C_STR:
		put_string(b, s, c, v);
		break;
	case FMT_C_FLOAT:
		put_float(b, c, o, v);
		break;
	case FMT_C_ADDR:
		put_addr(b, s, c, v);
		break;
	case FMT_C_STACK:
		text_stack(b, s, v, c->flags & FMT_LEFT ? -c->width : c->width);
		break;
	case FMT_C_TIME:
		put_time(b, c, v);
		break;
	case FMT_C_NET:
		put_net(b, s, c, v);
		break;
	default:
		break;
	}
}

struct cursor {
	const struct val *vals;
	unsigned n, at;
};

static const struct val *
take(struct cursor *cur)
{
	static const struct val none = {.kind = DK_INT, .is_signed = true, .size = 8, .type = DOBJ_NONE, .at = ""};
	return cur->at < cur->n ? &cur->vals[cur->at++] : &none;
}

static int
take_int(struct cursor *cur)
{
	int64_t v = (int64_t)take(cur)->num;
	if (v > FMT_MAXWIDTH)
		return FMT_MAXWIDTH;
	return v < -FMT_MAXWIDTH ? -FMT_MAXWIDTH : (int)v;
}

static struct conv
resolve(const struct fmt_piece *p, struct cursor *cur)
{
	struct conv c = {.p = p, .flags = p->flags, .width = p->width, .prec = p->has_prec ? p->prec : -1};
	if (p->star_width) {
		c.width = take_int(cur);
		if (c.width < 0) {
			c.flags |= FMT_LEFT;
			c.width = -c.width;
		}
	}
	if (p->star_prec) {
		c.prec = take_int(cur);
		if (c.prec < 0)
			c.prec = -1;
	}
	return c;
}

static void
put_agg(struct sbuf *b, const struct show *s, const struct dobj *o, const struct conv *c, const struct aggval *av)
{
	if (aggfn_is(av->agg->fn, AT_DIST)) {
		text_hist(b, s, av->agg, av->words, av->normal);
		return;
	}
	struct val v = {.kind = DK_INT, .is_signed = true, .size = 8, .type = DOBJ_NONE};
	v.num = (uint64_t)aggval_shown(av->agg, av->words, av->normal);
	put_value(b, s, o, c, &v);
}

void
text_format(struct sbuf *b, const struct show *s, const struct dobj *o, const char *fmt, const struct val *vals,
    unsigned nvals, const struct aggval *aggs, unsigned naggs)
{
	struct fmt_iter it;
	struct fmt_piece p;
	struct cursor cur = {vals, nvals, 0};
	unsigned agg = 0;
	fmt_open(&it, fmt, strlen(fmt));
	while (fmt_next(&it, &p) > 0) {
		if (p.conv == 0) {
			sb_add(b, p.at, p.len);
			continue;
		}
		struct conv c = resolve(&p, &cur);
		if (!fmt_takes_value(&p))
			continue;
		if (!(p.flags & FMT_AGG))
			put_value(b, s, o, &c, take(&cur));
		else if (naggs) {
			put_agg(b, s, o, &c, &aggs[agg]);
			if (agg + 1 < naggs)
				agg++;
		}
	}
}
