/* Sizes, alignments and offsets of structures as the x86-64 psABI has them, bit-fields included. */
#include "lang/type.h"

static uint64_t
round_up(uint64_t v, uint64_t to)
{
	return to > 1 ? (v + to - 1) / to * to : v;
}

/* A bit-field without a name only makes room; width 0 ends the storage unit. */
static bool
is_filler(const struct member *m)
{
	return !m->name && !type_is_sou(m->type);
}

static void
drop_fillers(struct type *t)
{
	for (struct member **p = &t->members; *p;) {
		if (is_filler(*p))
			*p = (*p)->next;
		else
			p = &(*p)->next;
	}
}

/* Where the bit-field goes when `bit` is the first free bit. Unless packed it never crosses a boundary of its type. */
static uint64_t
place_bits(const struct member *m, uint64_t unit, uint64_t bit, bool is_packed)
{
	if (m->bits == 0)
		return round_up(bit, unit);
	if (is_packed)
		return bit;
	return bit / unit == (bit + m->bits - 1) / unit ? bit : round_up(bit, unit);
}

void
type_layout(struct types *ts, struct type *t)
{
	(void)ts;
	uint64_t bit = 0, most = 0;
	/* An attribute of the whole structure may have set it already. */
	uint32_t align = t->align ? t->align : 1;
	for (struct member *m = t->members; m; m = m->next) {
		struct type *base = type_base(m->type);
		bool is_bits = m->bits || is_filler(m);
		uint64_t at = t->kind == T_UNION ? 0 : bit;
		uint64_t size = is_bits ? m->bits : base->size * 8;
		uint32_t own = t->is_packed ? 1 : base->align;
		if (m->align > own)
			own = m->align;
		at = is_bits ? place_bits(m, base->size * 8, at, t->is_packed) : round_up(at, (uint64_t)own * 8);
		if (!is_filler(m) && own > align)
			align = own;
		/* Sizes are bounded by TYPE_MAXSIZE before the next member is added, so nothing overflows here. */
		m->offset = (uint32_t)at;
		bit = at + size;
		if (bit > TYPE_MAXSIZE * 8)
			bit = TYPE_MAXSIZE * 8 + 1;
		if (bit > most)
			most = bit;
	}
	t->size = round_up((most + 7) / 8, align);
	t->align = align;
	drop_fillers(t);
}
