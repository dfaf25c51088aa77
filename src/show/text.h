/*
 * Turns values into DTrace's text. Everything here appends to a buffer and knows nothing of streams, engines or
 * handles, so that it can be tested alone. If memory runs out, the buffer says so (sbuf.failed).
 */
#ifndef ET_SHOW_TEXT_H
#define ET_SHOW_TEXT_H

#include "base/fmt.h"
#include "base/sbuf.h"
#include "object/dobj.h"
#include "erltrace.h"

/* A field of a record or an element of a key. Points into the record or key. */
struct val {
	uint8_t kind; /* enum dobj_kind */
	bool is_signed;
	uint32_t size;  /* DK_INT: bytes of its type */
	uint32_t type;  /* row of the object's types, or DOBJ_NONE */
	uint64_t num;   /* DK_INT: extended to 64 bits; symbols: the address */
	const char *at; /* strings and bytes */
	size_t len;     /* of them; strings: without the NUL */
	uint64_t pid;   /* user symbols and stacks */
	const uint64_t *pcs;
	unsigned npcs;
	bool is_key; /* of an aggregation */
};

/* How to show things, from the options and the terminal. */
struct show {
	bool quiet, rawbytes, aggzoom, agghist, aggpack, noresolve;
	bool utf8;      /* bars of block characters */
	bool colour;    /* bars in colour */
	bool safe;      /* for a terminal: characters that would make it do something are shown as escapes
			 * (base/tame.h) */
	bool term_utf8; /* which understands UTF-8 */
	unsigned stackindent;
	et_symbol_f *sym; /* or NULL */
	void *symarg;
	const struct dobj *own;  /* the program, whose own strings are shown as they are; or NULL */
	const struct pids *pids; /* names for keys that are pids; or NULL */
};

/* -- text of others (safe.c) */
/* Returns what is shown of a string that is data: itself, or a tamed copy in `copy`, which the caller frees. *n is
 * its length before and after. cut: it may have been cut where it comes from. */
const char *text_safe(const struct show *s, struct sbuf *copy, const char *at, size_t *n, bool cut);
void text_add_safe(struct sbuf *b, const struct show *s, const char *at, size_t n);

/* -- values (value.c) */
struct key_elem;
/* The value of a field in a record's data; never reads outside the field. */
struct val val_of_field(const struct dobj_field *f, const char *data);
struct val val_of_key(const struct dobj_key *k, const struct key_elem *e);
struct et_value val_public(const struct val *v);

/* The text of et_value_text(). */
void text_value(struct sbuf *b, const struct show *s, const struct et_value *v);

/* A decimal number, right-justified in width columns; much faster than printf. */
void text_dec(struct sbuf *b, uint64_t v, bool is_signed, unsigned width);
/* trace(): a column whose width follows the type, or the bare value when quiet. */
void text_trace(struct sbuf *b, const struct show *s, const struct val *v);
/* One element of a key in the default output of aggregations. packed: with agghist and aggpack. */
void text_key(struct sbuf *b, const struct show *s, const struct val *v, bool packed);
/* Returns a string, followed by its name if it is a key that is a pid; in `t`, or the string itself. */
const char *text_named(struct sbuf *t, const struct show *s, const struct val *v, size_t *len);
/* Returns the columns that a key takes with agghist and aggpack. */
unsigned text_key_width(const struct val *v);
/* Two digits a byte. */
void text_hex(struct sbuf *b, const char *bytes, size_t n);
/* The hex dump of tracemem() and rawbytes, with its ruler. */
void text_dump(struct sbuf *b, const char *bytes, size_t n);
/* C escapes for what is not printable ASCII (%S, %C). */
void text_escape(struct sbuf *b, const char *s, size_t n);

/* -- addresses (stack.c) */
/* An address by its name, or what is known of it. */
void text_name(struct sbuf *b, const struct show *s, uint64_t pid, uint64_t addr, enum et_symform form);
/* module`symbol+0x1f: a frame of a stack. */
void text_addr(struct sbuf *b, const struct show *s, uint64_t pid, uint64_t addr);
/* What a symbol of this kind shows: DK_SYM, DK_MOD, DK_USYM, DK_UMOD, DK_UADDR. */
enum et_symform symform_of(uint8_t kind);
void text_sym(struct sbuf *b, const struct show *s, const struct val *v);
/* One frame per line, after a newline. width is that of each frame's text; negative means left-justified. */
void text_stack(struct sbuf *b, const struct show *s, const struct val *v, int width);

/* -- print() (typed.c) */
void text_typed(struct sbuf *b, const struct show *s, const struct dobj *o, uint32_t type, const struct val *v);

/* -- distributions (hist.c) */
void text_hist(struct sbuf *b, const struct show *s, const struct dobj_agg *a, const uint64_t *words, uint64_t normal);
/* A line of a distribution: the bar of one number, the number and a newline. */
struct hist_scale {
	long double total;
	bool positives, negatives;
	bool full; /* with aggzoom the largest bar takes all of its room */
};
void hist_scale_add(struct hist_scale *sc, const struct show *s, int64_t v);
void text_bar(struct sbuf *b, const struct show *s, int64_t v, uint64_t normal, const struct hist_scale *sc);
/* aggpack: all buckets of a distribution in one line. */
struct hist_range {
	uint32_t first, last; /* buckets with data, over all elements of an aggregation */
	bool any;
};
void hist_range_add(struct hist_range *r, const struct dobj_agg *a, const uint64_t *words);
void text_pack_header(struct sbuf *b, const struct dobj_agg *a, const struct hist_range *r, unsigned keywidth);
void text_pack(
    struct sbuf *b, const struct show *s, const struct dobj_agg *a, const uint64_t *words, const struct hist_range *r);

/* -- printf() and printa() (format.c) */
/* One aggregation's value for %@. */
struct aggval {
	const struct dobj_agg *agg;
	const uint64_t *words;
	uint64_t normal;
};
/* Formats. Values are taken in order; aggs are for %@ (the last one again if there are more conversions). Missing
 * values are 0 and "": the checker refuses such formats, but an object may come from anywhere. `o` is for floating
 * types. */
void text_format(struct sbuf *b, const struct show *s, const struct dobj *o, const char *fmt, const struct val *vals,
    unsigned nvals, const struct aggval *aggs, unsigned naggs);

/* -- JSON (jsontext.c) */
/* A JSON string, including quotes. It is always valid UTF-8; invalid bytes become U+FFFD. */
void json_quote(struct sbuf *b, const char *s, size_t n);
void json_value(struct sbuf *b, const struct show *s, const struct val *v);

#endif
