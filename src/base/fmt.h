/*
 * Format strings of printf() and printa(). There is one parser for the checker, which compares conversions with
 * arguments, and the consumer, which prints.
 *
 *   struct fmt_iter it; struct fmt_piece p; int r;
 *   fmt_open(&it, text, len);
 *   while ((r = fmt_next(&it, &p)) > 0) ...;
 *   r < 0: the format is malformed, p.at/p.len show where, it.why says what.
 *
 * It allocates nothing: pieces point into the text, which must outlive them. Any bytes are safe. "%%" comes out as the
 * literal "%".
 */
#ifndef ET_BASE_FMT_H
#define ET_BASE_FMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fmt_flag {
	FMT_LEFT = 1,   /* - */
	FMT_PLUS = 2,   /* + */
	FMT_SPACE = 4,  /* space */
	FMT_ALT = 8,    /* # */
	FMT_ZERO = 16,  /* 0 */
	FMT_GROUP = 32, /* ' */
	FMT_AGG = 64,   /* @: printa only: the value of the aggregation, not the next key */
};

enum fmt_size {
	FMT_SZ_NONE,
	FMT_SZ_HH,
	FMT_SZ_H,
	FMT_SZ_L,
	FMT_SZ_LL,
	FMT_SZ_LD,
	FMT_SZ_W,
	FMT_SZ_J,
	FMT_SZ_Z,
	FMT_SZ_T
};

/* What a conversion takes. */
enum fmt_class {
	FMT_C_INT,   /* d i o u x X p: a number or a pointer */
	FMT_C_CHAR,  /* c C wc: a number shown as a character; C escapes what is not printable */
	FMT_C_STR,   /* s S ws: a string or the bytes of a char array, but not a number */
	FMT_C_FLOAT, /* e E f g G: only numbers of floating type, which D has no values of */
	FMT_C_ADDR,  /* a: kernel or Erlang address (or sym(), mod()); A: user address (or usym() …) */
	FMT_C_STACK, /* k: stack(), ustack(), jstack() */
	FMT_C_TIME,  /* Y: date; T: date and time as RFC 822: nanoseconds since 1970 */
	FMT_C_NET,   /* I: a string, an internet address shown as host name where known; P: a port number, shown as
			service */
	FMT_C_NONE,  /* n: takes nothing and prints nothing */
};

struct fmt_piece {
	const char *at; /* literal text, or the whole conversion from % to its letter */
	size_t len;
	char conv;       /* the letter; 0 for literal text */
	uint8_t cls;     /* enum fmt_class */
	uint8_t flags;   /* enum fmt_flag */
	uint8_t size;    /* enum fmt_size */
	bool star_width; /* width is the next argument; a negative one means left-justified */
	bool star_prec;  /* precision is the argument after that; a negative one means none */
	bool has_prec;   /* `prec` was written (or star_prec) */
	int width, prec; /* 0 if not written; at most FMT_MAXWIDTH */
	unsigned number; /* of the conversion, from 1 */
};

enum { FMT_MAXWIDTH = 65535 };

struct fmt_iter {
	const char *cur, *end;
	unsigned number;
	const char *why; /* constant text, after an error */
};

void fmt_open(struct fmt_iter *it, const char *text, size_t len);
/* Returns 1 for a piece, 0 at the end, -1 if it is malformed. */
int fmt_next(struct fmt_iter *it, struct fmt_piece *p);
/* Returns whether the piece takes a value (a key, or with FMT_AGG the aggregation's): false for literals and n. */
bool fmt_takes_value(const struct fmt_piece *p);

#endif
