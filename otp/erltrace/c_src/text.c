/*
 * Prints terms. The VM's own %T walks a whole term however short the buffer is, so it is used only for leaves. Lists,
 * tuples, maps and binaries are walked here, as far as the event may look.
 */
#include "text.h"

#include "bits.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 32, MAX_SHOWN = 4104 };
/* Units of work, for what takes much longer than its bytes show. */
enum { WORK_LEAF = 250, WORK_FLOAT = 2000, WORK_NUMBER = 100 };

struct text_out {
	ErlNifEnv *env;
	char *buf;
	size_t len, size; /* size leaves room for the NUL */
	struct look *look;
	bool full;
};

static void
put(struct text_out *o, const char *s, size_t n)
{
	if (o->full)
		return;
	if (n > o->size - o->len) {
		n = o->size - o->len;
		o->full = true;
	}
	memcpy(o->buf + o->len, s, n);
	o->len += n;
}

/* text_mfa() has a term of fixed size and no budget. */
static void
work(struct text_out *o, unsigned units)
{
	if (o->look)
		o->look->work += units;
}

static void
puts_(struct text_out *o, const char *s)
{
	put(o, s, strlen(s));
}

/* Atoms, pids, ports, references, funs: short in the VM's own form. */
static void
put_leaf(struct text_out *o, ERL_NIF_TERM t)
{
	char tmp[1100];
	work(o, WORK_LEAF);
	int n = enif_snprintf(tmp, sizeof tmp, "%T", t);
	if (n > 0)
		put(o, tmp, (size_t)n < sizeof tmp ? (size_t)n : sizeof tmp - 1);
}

/* The VM does not quote reserved words, but they are atoms only in quotes. */
static bool
is_reserved(const char *s, size_t n)
{
	static const char words[][8] = {"after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor",
	    "case", "catch", "cond", "div", "end", "fun", "if", "let", "not", "of", "or", "orelse", "receive", "rem",
	    "try", "when", "xor"};
	if (n < 2 || n > 7 || s[0] < 'a' || s[0] > 'x')
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(words[i], s, n) == 0 && !words[i][n])
			return true;
	return false;
}

static void
put_atom(struct text_out *o, ERL_NIF_TERM t)
{
	size_t from = o->len;
	put_leaf(o, t);
	if (o->full || !is_reserved(o->buf + from, o->len - from))
		return;
	char word[8];
	size_t n = o->len - from;
	memcpy(word, o->buf + from, n);
	o->len = from;
	puts_(o, "'");
	put(o, word, n);
	puts_(o, "'");
}

/* One byte inside quotes. */
static void
put_escaped(struct text_out *o, unsigned char c)
{
	char tmp[8];
	switch (c) {
	case '"':
		puts_(o, "\\\"");
		return;
	case '\\':
		puts_(o, "\\\\");
		return;
	case '\n':
		puts_(o, "\\n");
		return;
	case '\r':
		puts_(o, "\\r");
		return;
	case '\t':
		puts_(o, "\\t");
		return;
	case '\v':
		puts_(o, "\\v");
		return;
	case '\b':
		puts_(o, "\\b");
		return;
	case '\f':
		puts_(o, "\\f");
		return;
	case 27:
		puts_(o, "\\e");
		return;
	default:
		break;
	}
	if (c < 32 || c == 127) {
		snprintf(tmp, sizeof tmp, "\\%03o", c);
		puts_(o, tmp);
	} else {
		tmp[0] = (char)c;
		put(o, tmp, 1);
	}
}

static void put_term(struct text_out *o, ERL_NIF_TERM t, unsigned depth);

/* Returns the length of the UTF-8 character at s, or 0 if it is not one. */
static size_t
utf8_char(const unsigned char *s, size_t left)
{
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
	if (n > left)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* overlong forms, surrogates, past the last character */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf0 && s[1] < 0x90) ||
	    (s[0] == 0xf4 && s[1] >= 0x90))
		return 0;
	return n;
}

enum is_text { NO_TEXT, ASCII, UTF8 };

/* Returns whether it is text in its first `look` bytes, of which at least one can be shown. */
static enum is_text
is_text(const unsigned char *s, size_t size, size_t look)
{
	enum is_text is = ASCII;
	for (size_t i = 0, n; i < size && i < look; i += n) {
		n = utf8_char(s + i, size - i);
		if (!n || (s[i] < 32 && s[i] != '\n' && s[i] != '\r' && s[i] != '\t') || s[i] == 127)
			return NO_TEXT;
		if (n > 1)
			is = UTF8;
	}
	return is;
}

/* A binary whose bytes are text is shown as text, another as numbers. */
static void
put_binary(struct text_out *o, ERL_NIF_TERM t)
{
	unsigned char buf[MAX_SHOWN];
	ErlNifBinary whole;
	struct bits b;
	bool known = bits_of(t, &b);
	if (known ? b.nbits % 8 != 0 : !enif_inspect_binary(o->env, t, &whole)) {
		puts_(o, "<<_bitstring>>");
		return;
	}
	/* a little more than will be shown, so that it is known in time whether it is text */
	size_t size = known ? b.nbits / 8 : whole.size, n = o->size - o->len + 5;
	n = look_bytes(o->look, n < size ? n < sizeof buf ? n : sizeof buf : size);
	const unsigned char *data = known ? bits_bytes(&b, buf, &n) : whole.data;
	puts_(o, "<<");
	enum is_text is = n ? is_text(data, n, o->size - o->len + 1) : NO_TEXT;
	if (is != NO_TEXT)
		puts_(o, "\"");
	for (size_t i = 0; i < n && !o->full; i++) {
		char tmp[8];
		if (is != NO_TEXT) {
			put_escaped(o, data[i]);
			continue;
		}
		work(o, WORK_NUMBER);
		snprintf(tmp, sizeof tmp, i ? ",%u" : "%u", data[i]);
		puts_(o, tmp);
	}
	if (n < size)
		puts_(o, "...");
	if (is != NO_TEXT)
		puts_(o, is == UTF8 ? "\"/utf8" : "\"");
	puts_(o, ">>");
}

/* A proper list of printable Latin-1 characters, as far as it will be shown. */
static bool
is_string(struct text_out *o, ERL_NIF_TERM t)
{
	ERL_NIF_TERM head;
	unsigned c, n = 0;
	while (enif_get_list_cell(o->env, t, &head, &t)) {
		if (!enif_get_uint(o->env, head, &c) || c > 255)
			return false;
		if (c < 32 ? !(c == '\n' || c == '\r' || c == '\t' || (c >= 8 && c <= 13) || c == 27)
			   : c >= 127 && c < 160)
			return false;
		if (++n > o->size)
			return true;
		if (n % LOOK_CELLS == 0 && !look_part(o->look))
			return true;
	}
	return n && enif_is_empty_list(o->env, t);
}

static void
put_latin1(struct text_out *o, unsigned c)
{
	if (c < 128) {
		put_escaped(o, (unsigned char)c);
		return;
	}
	char two[2] = {(char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f))};
	put(o, two, 2);
}

static void
put_list(struct text_out *o, ERL_NIF_TERM t, unsigned depth)
{
	ERL_NIF_TERM head, tail = t;
	if (is_string(o, t)) {
		unsigned c;
		puts_(o, "\"");
		while (!o->full && enif_get_list_cell(o->env, tail, &head, &tail)) {
			if (!enif_get_uint(o->env, head, &c) || c > 255) { /* after what is_string() may look at */
				puts_(o, "...");
				break;
			}
			put_latin1(o, c);
		}
		puts_(o, "\"");
		return;
	}
	puts_(o, "[");
	for (bool first = true; !o->full && enif_get_list_cell(o->env, tail, &head, &tail); first = false) {
		if (!first)
			puts_(o, ",");
		if (!o->look->parts) {
			o->look->over = true;
			puts_(o, "...");
			tail = 0;
			break;
		}
		put_term(o, head, depth + 1);
	}
	if (!o->full && tail && !enif_is_list(o->env, tail)) {
		puts_(o, "|");
		put_term(o, tail, depth + 1);
	}
	puts_(o, "]");
}

static void
put_tuple(struct text_out *o, ERL_NIF_TERM t, unsigned depth)
{
	const ERL_NIF_TERM *elems;
	int n;
	if (!enif_get_tuple(o->env, t, &n, &elems))
		return;
	puts_(o, "{");
	for (int i = 0; i < n && !o->full; i++) {
		if (i)
			puts_(o, ",");
		if (!o->look->parts) {
			o->look->over = true;
			puts_(o, "...");
			break;
		}
		put_term(o, elems[i], depth + 1);
	}
	puts_(o, "}");
}

static void
put_map(struct text_out *o, ERL_NIF_TERM t, unsigned depth)
{
	ErlNifMapIterator it;
	ERL_NIF_TERM k, v;
	if (!enif_map_iterator_create(o->env, t, &it, ERL_NIF_MAP_ITERATOR_FIRST))
		return;
	puts_(o, "#{");
	for (bool first = true; !o->full && enif_map_iterator_get_pair(o->env, &it, &k, &v); first = false) {
		if (!first)
			puts_(o, ",");
		if (!o->look->parts) {
			o->look->over = true;
			puts_(o, "...");
			break;
		}
		put_term(o, k, depth + 1);
		puts_(o, " => ");
		put_term(o, v, depth + 1);
		enif_map_iterator_next(o->env, &it);
	}
	puts_(o, "}");
	enif_map_iterator_destroy(o->env, &it);
}

/* "e+300" as Erlang has it: "e300". */
static void
put_exponent(struct text_out *o, const char *e)
{
	puts_(o, e[1] == '-' ? "e-" : "e");
	e += 2;
	while (e[0] == '0' && e[1])
		e++;
	puts_(o, e);
}

/* The shortest of the usual precisions that reads back as the same number, with Erlang's ".0". */
static void
put_float(struct text_out *o, double d)
{
	char tmp[40];
	work(o, WORK_FLOAT);
	for (int p = 15; p <= 17; p++) {
		snprintf(tmp, sizeof tmp, "%.*g", p, d);
		double back;
		/* NOLINTNEXTLINE: -0.0 is not 0.0 */
		if (sscanf(tmp, "%lf", &back) == 1 && memcmp(&back, &d, sizeof d) == 0)
			break;
	}
	char *e = strchr(tmp, 'e');
	if (strchr(tmp, '.') && e) {
		put(o, tmp, (size_t)(e - tmp));
		put_exponent(o, e);
	} else if (strchr(tmp, '.')) {
		puts_(o, tmp);
	} else if (e) {
		put(o, tmp, (size_t)(e - tmp));
		puts_(o, ".0");
		put_exponent(o, e);
	} else {
		puts_(o, tmp);
		puts_(o, ".0");
	}
}

static void
put_number(struct text_out *o, ERL_NIF_TERM t)
{
	char tmp[24];
	ErlNifSInt64 i;
	ErlNifUInt64 u;
	double d;
	if (enif_get_int64(o->env, t, &i)) {
		char *at = tmp + sizeof tmp;
		uint64_t left = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
		do
			*--at = (char)('0' + left % 10);
		while (left /= 10);
		if (i < 0)
			*--at = '-';
		put(o, at, (size_t)(tmp + sizeof tmp - at));
		return;
	}
	if (enif_get_uint64(o->env, t, &u))
		snprintf(tmp, sizeof tmp, "%llu", (unsigned long long)u);
	else if (enif_get_double(o->env, t, &d)) {
		put_float(o, d);
		return;
	} else
		snprintf(tmp, sizeof tmp, "<bignum>"); /* its decimal form takes unbounded time */
	puts_(o, tmp);
}

static void
put_term(struct text_out *o, ERL_NIF_TERM t, unsigned depth)
{
	if (o->full)
		return;
	if (depth > MAX_DEPTH || !look_part(o->look)) {
		puts_(o, "...");
		return;
	}
	switch (enif_term_type(o->env, t)) {
	case ERL_NIF_TERM_TYPE_INTEGER:
	case ERL_NIF_TERM_TYPE_FLOAT:
		put_number(o, t);
		break;
	case ERL_NIF_TERM_TYPE_LIST:
		put_list(o, t, depth);
		break;
	case ERL_NIF_TERM_TYPE_TUPLE:
		put_tuple(o, t, depth);
		break;
	case ERL_NIF_TERM_TYPE_MAP:
		put_map(o, t, depth);
		break;
	case ERL_NIF_TERM_TYPE_BITSTRING:
		put_binary(o, t);
		break;
	case ERL_NIF_TERM_TYPE_ATOM:
		put_atom(o, t);
		break;
	case ERL_NIF_TERM_TYPE_FUN:
	case ERL_NIF_TERM_TYPE_PID:
	case ERL_NIF_TERM_TYPE_PORT:
	case ERL_NIF_TERM_TYPE_REFERENCE:
	default:
		put_leaf(o, t);
		break;
	}
}

static size_t
finish(struct text_out *o)
{
	if (o->full && o->size >= 3) {
		o->len -= 3;
		/* not in the middle of a character */
		while (o->len && (o->buf[o->len] & 0xc0) == 0x80)
			o->len--;
		memcpy(o->buf + o->len, "...", 3);
		o->len += 3;
	}
	o->buf[o->len] = '\0';
	return o->len;
}

size_t
text_term(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t, char *buf, size_t size)
{
	struct text_out o = {.env = env, .look = l, .buf = buf, .size = size - 1};
	put_term(&o, t, 0);
	return finish(&o);
}

size_t
text_reason(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t, char *buf, size_t size)
{
	size_t n = text_term(env, l, t, buf, size);
	if (strcmp(buf, "kill") == 0 && size > 6) {
		memcpy(buf, "killed", 7);
		n = 6;
	}
	return n;
}

size_t
text_mfa(ErlNifEnv *env, ERL_NIF_TERM m, ERL_NIF_TERM f, unsigned arity, char *buf, size_t size)
{
	char tail[16];
	struct text_out o = {.env = env, .buf = buf, .size = size - 1};
	put_leaf(&o, m);
	puts_(&o, ":");
	put_leaf(&o, f);
	snprintf(tail, sizeof tail, "/%u", arity);
	puts_(&o, tail);
	return finish(&o);
}

/* Adds the words of t. Returns false if there is more than may be looked at. */
static bool
add_words(ErlNifEnv *env, ERL_NIF_TERM t, uint64_t *words, struct look *l, unsigned depth)
{
	for (;;) {
		l->over |= depth > 64;
		if (depth > 64 || !look_part(l))
			return false;
		ErlNifMapIterator it;
		const ERL_NIF_TERM *elems;
		ERL_NIF_TERM head, value;
		ErlNifSInt64 i;
		struct bits b;
		size_t pairs;
		bool ok = true;
		int n;
		switch (enif_term_type(env, t)) {
		case ERL_NIF_TERM_TYPE_LIST:
			if (!enif_get_list_cell(env, t, &head, &t))
				return true;
			*words += 2;
			if (!add_words(env, head, words, l, depth + 1))
				return false;
			continue; /* with the tail */
		case ERL_NIF_TERM_TYPE_TUPLE:
			enif_get_tuple(env, t, &n, &elems);
			*words += (uint64_t)n + (n > 0);
			for (int k = 0; k < n && ok; k++)
				ok = add_words(env, elems[k], words, l, depth + 1);
			return ok;
		case ERL_NIF_TERM_TYPE_MAP:
			enif_get_map_size(env, t, &pairs);
			*words += pairs <= 32 ? 3 + pairs + (pairs + 1) : pairs * 2 + pairs / 8 + 2;
			enif_map_iterator_create(env, t, &it, ERL_NIF_MAP_ITERATOR_FIRST);
			while (ok && enif_map_iterator_get_pair(env, &it, &head, &value)) {
				ok = add_words(env, head, words, l, depth + 1) &&
				     add_words(env, value, words, l, depth + 1);
				enif_map_iterator_next(env, &it);
			}
			enif_map_iterator_destroy(env, &it);
			return ok;
		case ERL_NIF_TERM_TYPE_BITSTRING:
			*words += bits_of(t, &b) ? b.words : 6;
			return true;
		case ERL_NIF_TERM_TYPE_FLOAT:
			*words += 2;
			return true;
		case ERL_NIF_TERM_TYPE_INTEGER:
			if (!enif_get_int64(env, t, &i))
				*words += 3;
			else if (i >= (1LL << 59) || i < -(1LL << 59))
				*words += 2;
			return true;
		case ERL_NIF_TERM_TYPE_REFERENCE:
			*words += 3;
			return true;
		case ERL_NIF_TERM_TYPE_FUN:
			*words += 5;
			return true;
		case ERL_NIF_TERM_TYPE_ATOM:
		case ERL_NIF_TERM_TYPE_PID:
		case ERL_NIF_TERM_TYPE_PORT:
		default:
			return true;
		}
	}
}

uint32_t
text_words(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t)
{
	uint64_t words = 0;
	if (!add_words(env, t, &words, l, 0) || words >= TEXT_UNKNOWN_SIZE)
		return TEXT_UNKNOWN_SIZE;
	return (uint32_t)words;
}
