/*
 * alert p99(@wait in us) > 50ms until 40ms for 30s over 10s "[critical] %s is slow: %@d ms";
 *
 * A number and its unit are one word here, which D's numbers are not, so quantities are read from the text itself. They
 * may also be constant expressions or macro arguments, with the unit behind them: ($1 ? $1 : 50) ms.
 */
#include "lang/parse_int.h"

#include "base/strmap.h"
#include "object/cond.h"

#include <string.h>

static const struct {
	const char *name;
	int64_t ns;
} units[] = {
    {"ns", 1},
    {"us", 1000},
    {"ms", 1000000},
    {"s", 1000000000},
    {"m", 60000000000},
    {"h", 3600000000000},
};
enum { NUNITS = sizeof units / sizeof *units };

struct quantity {
	int64_t n;
	const char *unit; /* NULL if none */
	int64_t ns;       /* of the unit */
	struct pos pos;
};

static int64_t
unit_of(const char *s, size_t len, const char **name)
{
	for (unsigned i = 0; i < NUNITS; i++)
		if (strlen(units[i].name) == len && memcmp(units[i].name, s, len) == 0) {
			*name = units[i].name;
			return units[i].ns;
		}
	return 0;
}

static _Noreturn void
bad_unit(struct parser *p, struct pos pos, const char *s, size_t len)
{
	cc_error_hint(p->cc, pos, "D_ALERT_LIMIT", "units are ns, us, ms, s, m and h", "unknown unit '%.*s'",
	    len > 40 ? 40 : (int)len, s);
}

/* Reads "50ms" from len bytes. Returns how many it took; 0 if it is no number with a unit behind it. */
static uint32_t
worded(struct parser *p, const char *s, uint32_t len, struct quantity *q)
{
	uint32_t i = 0, from;
	int64_t n = 0;
	bool fits = true;
	while (i < len && lex_is_digit(s[i])) {
		fits &= !__builtin_mul_overflow(n, 10, &n) && !__builtin_add_overflow(n, s[i] - '0', &n);
		i++;
	}
	from = i;
	while (i < len && lex_is_name(s[i]))
		i++;
	if (!from || i == from || s[from] == 'x' || s[from] == 'X')
		return 0;
	if (!fits)
		cc_error(p->cc, q->pos, "D_ALERT_LIMIT", "the number is too large");
	q->n = n;
	q->ns = unit_of(s + from, i - from, &q->unit);
	if (!q->ns)
		bad_unit(p, q->pos, s + from, i - from);
	return i;
}

/* The current token is the one before the quantity. */
static struct quantity
quantity(struct parser *p, const char *what)
{
	struct lexer *lx = &p->lx;
	lex_skip(lx);
	struct quantity q = {.pos = lex_pos(lx, lx->at, 1)};
	uint32_t n = lx->at < lx->len ? worded(p, lx->text + lx->at, lx->len - lx->at, &q) : 0;
	if (n) {
		q.pos.len = n;
		lx->at += n;
		p_next(p);
		return q;
	}
	p_next(p);
	q.pos = p->tok.pos;
	if (p->tok.kind == TK_STR) { /* a macro argument such as 50ms */
		if (worded(p, p->tok.text, p->tok.len, &q) != p->tok.len)
			p_unexpected(p, what);
		p_next(p);
		return q;
	}
	if (p->tok.kind == TK_SEMI || p->tok.kind == TK_EOF || p->tok.kind == TW_FOR)
		p_unexpected(p, what);
	if (!p_const(p, p_cond(p), &q.n))
		cc_error_hint(p->cc, q.pos, "D_ALERT_LIMIT",
		    "it is compared after the values have left the probes: no variable is known there",
		    "%s must be a constant", what);
	const char *text = p->tok.text;
	if (p->tok.kind == TK_IDENT && !(p->tok.len == 4 && memcmp(text, "over", 4) == 0) &&
	    !(p->tok.len == 5 && memcmp(text, "until", 5) == 0)) {
		q.ns = unit_of(text, p->tok.len, &q.unit);
		if (!q.ns)
			bad_unit(p, p->tok.pos, text, p->tok.len);
		p_next(p);
	}
	return q;
}

static uint64_t
duration(struct parser *p, const char *word, uint64_t least)
{
	struct quantity q = quantity(p, "a time such as 30s");
	int64_t ns;
	if (!q.unit)
		cc_error_hint(
		    p->cc, q.pos, "D_ALERT_LIMIT", "write 30s or 5m", "the time behind '%s' has no unit", word);
	if (__builtin_mul_overflow(q.n, q.ns, &ns) || ns < 0 || (uint64_t)ns < least || (uint64_t)ns > COND_LONGEST)
		cc_error(p->cc, q.pos, "D_ALERT_LIMIT", "the time behind '%s' must be between %s and a day", word,
		    least ? "1s" : "0s");
	return (uint64_t)ns;
}

static bool
is_word(const struct parser *p, const char *word)
{
	return p->tok.kind == TK_IDENT && p->tok.len == strlen(word) && memcmp(p->tok.text, word, p->tok.len) == 0;
}

static void
operator(struct parser *p, struct alert_decl *d)
{
	switch (p->tok.kind) {
	case TK_GT:
		d->row.op = COND_GT;
		break;
	case TK_GE:
		d->row.op = COND_GE;
		break;
	case TK_LT:
		d->row.op = COND_LT;
		break;
	case TK_LE:
		d->row.op = COND_LE;
		break;
	default:
		p_unexpected(p, "'>', '>=', '<' or '<='");
	}
}

static void
subject(struct parser *p, struct alert_decl *d, struct arena *ar)
{
	if (p->tok.kind == TK_AGG)
		cc_error_hint(p->cc, p->tok.pos, "D_SYNTAX", "write what of it: alert p99(@wait) > 50ms for 30s;",
		    "expected a function such as p99, max or rate before '@%.*s'",
		    p->tok.len > 60 ? 60 : (int)p->tok.len, p->tok.text);
	d->fn_pos = p->tok.pos;
	d->fn_name = ar_strdup(ar, p_name(p, "a function such as p99, max or rate"));
	p_expect(p, TK_LPAREN);
	d->agg_pos = p->tok.pos;
	if (p->tok.kind != TK_AGG)
		p_unexpected(p, "an aggregation");
	d->agg_name = p_text(p, ar);
	p_next(p);
	if (p->tok.kind == TK_LBRACKET)
		cc_error_hint(p->cc, p->tok.pos, "D_SYNTAX", "leave the keys out: each of them is looked at",
		    "an alert is about all keys of an aggregation");
	if (is_word(p, "in")) {
		const char *name;
		p_next(p);
		if (p->tok.kind != TK_IDENT)
			p_unexpected(p, "a unit");
		d->agg_unit = unit_of(p->tok.text, p->tok.len, &name);
		if (!d->agg_unit)
			bad_unit(p, p->tok.pos, p->tok.text, p->tok.len);
		p_next(p);
	}
	p_expect_last(p, TK_RPAREN);
}

/* Brings a quantity to the unit of the aggregation's values. */
static int64_t
in_values(struct parser *p, const struct alert_decl *d, const struct quantity *q)
{
	int64_t of = d->agg_unit ? d->agg_unit : 1, v;
	if (!q->unit)
		return q->n;
	if (__builtin_mul_overflow(q->n, q->ns, &v))
		cc_error(p->cc, q->pos, "D_ALERT_LIMIT", "the number is too large");
	if (v % of)
		cc_error_hint(p->cc, q->pos, "D_ALERT_LIMIT", "aggregate a smaller unit",
		    "%lld%s is not a whole number of the units that @%s is in", (long long)q->n, q->unit, d->agg_name);
	return v / of;
}

static void
limits(struct parser *p, struct alert_decl *d, struct arena *ar)
{
	operator(p, d);
	struct quantity q = quantity(p, "a limit such as 100 or 50ms");
	d->limit_pos = q.pos;
	d->unit = q.unit ? q.ns : 0;
	d->unit_name = q.unit ? q.unit : "";
	d->row.limit = d->row.until = in_values(p, d, &q);
	d->row.window = COND_WINDOW;
	d->text = ar_printf(
	    ar, "%s(@%s) %s %lld%s", d->fn_name, d->agg_name, cond_op_text(d->row.op), (long long)q.n, d->unit_name);
	bool has_until = false, has_for = false, has_over = false;
	for (;;) {
		uint32_t from = p->tok.pos.off;
		struct pos pos = p->tok.pos;
		bool *has = p->tok.kind == TW_FOR ? &has_for
			    : is_word(p, "until") ? &has_until
			    : is_word(p, "over")  ? &has_over
						  : NULL;
		if (!has)
			return;
		if (*has)
			cc_error(p->cc, pos, "D_SYNTAX", "the alert has two of them");
		*has = true;
		if (has == &has_for)
			d->row.hold = duration(p, "for", 0);
		else if (has == &has_over)
			d->row.window = duration(p, "over", COND_SHORTEST);
		else {
			q = quantity(p, "a limit such as 100 or 50ms");
			d->row.until = in_values(p, d, &q);
			bool up = d->row.op == COND_GT || d->row.op == COND_GE;
			if (up ? d->row.until > d->row.limit : d->row.until < d->row.limit)
				cc_error(p->cc, q.pos, "D_ALERT_LIMIT",
				    "it would be over before it begins: 'until' must be %s the limit",
				    up ? "at most" : "at least");
		}
		uint32_t to = p->tok.pos.off;
		while (to > from && lex_is_blank(p->cc->text[to - 1]))
			to--;
		d->text = ar_printf(ar, "%s %.*s", d->text, (int)(to - from), p->cc->text + from);
	}
}

void
p_alert(struct parser *p)
{
	struct cc *cc = p->cc;
	struct arena *ar = &cc->lang->ar;
	struct alert_decl *d = AR_NEW(ar, struct alert_decl);
	if (cc->is_lib)
		cc_error(cc, lex_pos(&p->lx, p->lx.at, 5), "D_SYNTAX", "a D library may not contain alerts");
	p_next(p);
	d->pos = p->tok.pos;
	p_next(p);
	subject(p, d, ar);
	p_next(p);
	limits(p, d, ar);
	if (p->tok.kind == TK_STR) {
		struct node *n = AR_NEW(ar, struct node);
		n->kind = N_STR;
		n->pos = d->fmt_pos = p->tok.pos;
		n->u.str.at = ar_strndup(ar, p->tok.text, p->tok.len);
		n->u.str.len = p->tok.len;
		d->fmt = n;
		p_next(p);
	}
	if (p->tok.kind != TK_SEMI)
		p_unexpected(p, d->fmt ? "';'" : "'for', 'until', 'over', a text or ';'");
	if (!cc->alerts_tail)
		cc->alerts_tail = &cc->alerts;
	*cc->alerts_tail = d;
	cc->alerts_tail = &d->next;
}
