/* See terms.h. */
#include "terms.h"

#include "bits.h"
#include "iolist.h"

#include <string.h>

/* The most parts and bytes of a map's key. */
enum { MAX_KEY_PARTS = 64, MAX_KEY_DEPTH = 8, MAX_KEY_BYTES = 4096 };
/* Larger binaries would not be made on the heap that is thrown away after the callback. */
enum { MAX_MADE_BINARY = 64 };

static uint64_t
address(const struct event *ev, unsigned row)
{
	uint64_t number = ev->count * ev->hub->nshards + ev->f.shard; /* of this event: handles of others are stale */
	return DIF_ADDR(DIF_R_TERM, ((number & 0xffffff) << 8 | row) << 16);
}

/* Clauses ask for the same parts again, so a term has one row. */
uint64_t
terms_add(struct event *ev, ERL_NIF_TERM t)
{
	for (unsigned i = 0; i < ev->nterms; i++)
		if (ev->terms[i].term == t)
			return address(ev, i);
	if (ev->nterms == EV_TERMS)
		return 0;
	ev->terms[ev->nterms].term = t;
	ev->terms[ev->nterms].text = NULL;
	return address(ev, ev->nterms++);
}

static bool
find(struct event *ev, uint64_t at, unsigned *row, ERL_NIF_TERM *t)
{
	unsigned region = DIF_REGION(at);
	if (region == DIF_R_TERM) {
		*row = (unsigned)(DIF_OFFSET(at) >> 16 & 0xff);
		if (*row >= ev->nterms || at >> 16 != address(ev, *row) >> 16)
			return false;
		*t = ev->terms[*row].term;
		return true;
	}
	/* (term)arg0 of an argument that is text */
	unsigned n = (unsigned)(DIF_OFFSET(at) >> 40);
	if (region != DIF_R_ARG || n >= 10 || !(ev->has & 1u << n) || ev->arg[n].how == EV_NUMBER ||
	    ev->arg[n].how == EV_STATIC)
		return false;
	*t = ev->arg[n].term;
	uint64_t added = terms_add(ev, *t);
	*row = (unsigned)(DIF_OFFSET(added) >> 16 & 0xff);
	return added != 0;
}

static int
give_term(struct event *ev, ERL_NIF_TERM t, struct term_query *q)
{
	q->result = terms_add(ev, t);
	return q->result ? 0 : DIF_FAULT_NOSCRATCH;
}

/* -- text ---------------------------------------------------------------------------------------------------------- */

static int
give_text(struct event *ev, unsigned row, struct term_query *q)
{
	size_t most = q->most < HUB_ARGTEXT ? q->most : HUB_ARGTEXT;
	if (most < 2)
		return DIF_FAULT_BADSIZE;
	/* text that was cut for a clause with less room is made again */
	if (!ev->terms[row].text || (ev->terms[row].most < most && ev->terms[row].len >= ev->terms[row].most)) {
		size_t len, room;
		const char *text = ev_leaf(ev, ev->terms[row].term, &len);
		if (!text) {
			char *buf = ev_room(ev, &room);
			if (room < 64)
				return DIF_FAULT_NOSCRATCH;
			len = text_term(ev->env, &ev->look, ev->terms[row].term, buf, room < most ? room : most);
			ev_use_room(ev, len + 1);
			text = buf;
		}
		ev->terms[row].text = text;
		ev->terms[row].len = (uint32_t)len + 1;
		ev->terms[row].most = (uint32_t)most;
	}
	q->mem = ev->terms[row].text;
	q->len = ev->terms[row].len;
	return 0;
}

static char *
put_utf8(char *to, unsigned c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	} else {
		*to++ = (char)(0xf0 | (c >> 18 & 7));
		*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	}
	return to;
}

/* An atom that is not Latin-1, as the VM prints it: 'in quotes', with escapes. */
static char *
unquote(char *to, const char *s)
{
	static const char letters[] = "abefnrtv", controls[] = "\a\b\033\f\n\r\t\v";
	bool quoted = *s == '\'';
	for (s += quoted; *s && !(quoted && s[0] == '\'' && !s[1]); s++) {
		if (*s != '\\' || !s[1]) {
			*to++ = *s;
			continue;
		}
		unsigned c = 0;
		if (*++s == 'x' && s[1] == '{') {
			for (s += 2; *s && *s != '}'; s++)
				c = c * 16 + (unsigned)(*s <= '9' ? *s - '0' : (*s | 32) - 'a' + 10);
			to = put_utf8(to, c & 0x1fffff);
			if (!*s)
				break;
		} else {
			const char *letter = strchr(letters, *s);
			*to++ = letter ? controls[letter - letters] : *s;
		}
	}
	return to;
}

/* The name without quotes, in UTF-8. */
static int
give_atom(struct event *ev, ERL_NIF_TERM t, struct term_query *q)
{
	char name[256], printed[1400];
	size_t room;
	if (!enif_is_atom(ev->env, t))
		return DIF_FAULT_ILLOP;
	char *buf = ev_room(ev, &room), *end = buf;
	if (room < sizeof printed)
		return DIF_FAULT_NOSCRATCH;
	if (enif_get_atom(ev->env, t, name, sizeof name, ERL_NIF_LATIN1) > 0) {
		for (const char *s = name; *s; s++)
			end = put_utf8(end, (unsigned char)*s);
	} else if (enif_snprintf(printed, sizeof printed, "%T", t) > 0) {
		end = unquote(buf, printed);
	}
	*end = '\0';
	q->mem = buf;
	q->len = (size_t)(end - buf);
	ev_use_room(ev, q->len + 1);
	return 0;
}

/* -- kinds and parts ------------------------------------------------------------------------------------------------
 */

static bool
is_boolean(ErlNifEnv *env, ERL_NIF_TERM t)
{
	char name[8];
	int n = enif_get_atom(env, t, name, sizeof name, ERL_NIF_LATIN1);
	return n > 0 && (strcmp(name, "true") == 0 || strcmp(name, "false") == 0);
}

static int
is_kind(ErlNifEnv *env, ERL_NIF_TERM t, struct term_query *q)
{
	ErlNifTermType type = enif_term_type(env, t);
	bool is = false;
	switch (q->op) {
	case DIF_SUBR_TERM_IS_ATOM:
		is = type == ERL_NIF_TERM_TYPE_ATOM;
		break;
	case DIF_SUBR_TERM_IS_BINARY:
		is = enif_is_binary(env, t);
		break;
	case DIF_SUBR_TERM_IS_BITSTRING:
		is = type == ERL_NIF_TERM_TYPE_BITSTRING;
		break;
	case DIF_SUBR_TERM_IS_BOOLEAN:
		is = is_boolean(env, t);
		break;
	case DIF_SUBR_TERM_IS_FLOAT:
		is = type == ERL_NIF_TERM_TYPE_FLOAT;
		break;
	case DIF_SUBR_TERM_IS_FUNCTION:
		is = type == ERL_NIF_TERM_TYPE_FUN;
		break;
	case DIF_SUBR_TERM_IS_INTEGER:
		is = type == ERL_NIF_TERM_TYPE_INTEGER;
		break;
	case DIF_SUBR_TERM_IS_LIST:
		is = type == ERL_NIF_TERM_TYPE_LIST;
		break;
	case DIF_SUBR_TERM_IS_MAP:
		is = type == ERL_NIF_TERM_TYPE_MAP;
		break;
	case DIF_SUBR_TERM_IS_NUMBER:
		is = type == ERL_NIF_TERM_TYPE_INTEGER || type == ERL_NIF_TERM_TYPE_FLOAT;
		break;
	case DIF_SUBR_TERM_IS_PID:
		is = type == ERL_NIF_TERM_TYPE_PID;
		break;
	case DIF_SUBR_TERM_IS_PORT:
		is = type == ERL_NIF_TERM_TYPE_PORT;
		break;
	case DIF_SUBR_TERM_IS_REFERENCE:
		is = type == ERL_NIF_TERM_TYPE_REFERENCE;
		break;
	case DIF_SUBR_TERM_IS_TUPLE:
		is = type == ERL_NIF_TERM_TYPE_TUPLE;
		break;
	default:
		return DIF_FAULT_ILLOP;
	}
	q->result = is;
	return 0;
}

static int
element(struct event *ev, ERL_NIF_TERM t, struct term_query *q)
{
	const ERL_NIF_TERM *e;
	int n;
	if (!enif_get_tuple(ev->env, t, &n, &e))
		return DIF_FAULT_ILLOP;
	if (q->num < 1 || q->num > n)
		return DIF_FAULT_BADINDEX;
	return give_term(ev, e[q->num - 1], q);
}

/* Leaves some parts for others to look at. */
static int
count_cells(struct event *ev, ERL_NIF_TERM t, uint64_t *n)
{
	enum { FOR_OTHERS = 64 };
	ERL_NIF_TERM head;
	for (*n = 0; enif_get_list_cell(ev->env, t, &head, &t); ++*n) {
		if (*n % LOOK_CELLS)
			continue;
		if (ev->look.parts <= FOR_OTHERS) {
			ev->look.over = true;
			*n = TEXT_UNKNOWN_SIZE;
			return 0;
		}
		look_part(&ev->look);
	}
	return enif_is_empty_list(ev->env, t) ? 0 : DIF_FAULT_ILLOP;
}

static int
integer(ErlNifEnv *env, ERL_NIF_TERM t, uint64_t *v)
{
	ErlNifSInt64 i;
	if (enif_get_int64(env, t, &i)) {
		*v = (uint64_t)i;
		return 0;
	}
	return enif_term_type(env, t) == ERL_NIF_TERM_TYPE_INTEGER ? DIF_FAULT_BADSIZE : DIF_FAULT_ILLOP;
}

/* Returns whole bytes; a last one that is not full counts. */
static uint64_t
byte_size(struct event *ev, ERL_NIF_TERM t)
{
	struct bits b;
	if (bits_of(t, &b))
		return b.nbits / 8 + (b.nbits % 8 > 0);
	ev->look.over = true;
	return TEXT_UNKNOWN_SIZE;
}

static int
size_of(struct event *ev, ERL_NIF_TERM t, struct term_query *q)
{
	ErlNifEnv *env = ev->env;
	const ERL_NIF_TERM *e;
	size_t size;
	uint32_t bytes;
	int n;
	if (q->op == DIF_SUBR_TERM_TUPLE_SIZE && enif_get_tuple(env, t, &n, &e))
		q->result = (uint64_t)n;
	else if (q->op == DIF_SUBR_TERM_MAP_SIZE && enif_get_map_size(env, t, &size))
		q->result = size;
	else if (q->op == DIF_SUBR_TERM_BYTE_SIZE && enif_term_type(env, t) == ERL_NIF_TERM_TYPE_BITSTRING)
		q->result = byte_size(ev, t);
	else if (q->op == DIF_SUBR_TERM_IOLIST_SIZE && iolist_length(env, &ev->look, t, &bytes))
		q->result = bytes;
	else
		return DIF_FAULT_ILLOP;
	return 0;
}

static int
give_binary(struct event *ev, ERL_NIF_TERM t, struct term_query *q)
{
	ErlNifBinary whole = {0};
	struct bits b;
	size_t room, n;
	if (!enif_is_binary(ev->env, t))
		return DIF_FAULT_ILLOP;
	bool known = bits_of(t, &b);
	if (!known && !enif_inspect_binary(ev->env, t, &whole))
		return DIF_FAULT_ILLOP;
	n = known ? b.nbits / 8 : whole.size;
	n = look_bytes(&ev->look, n < q->most ? n : q->most);
	unsigned char *to = (unsigned char *)ev_room(ev, &room);
	if (known && b.shift && n > room)
		return DIF_FAULT_NOSCRATCH;
	const unsigned char *at = known ? bits_bytes(&b, to, &n) : whole.data;
	if (at == to)
		ev_use_room(ev, n);
	q->mem = n ? (const char *)at : "";
	q->len = n;
	return 0;
}

/* -- maps -----------------------------------------------------------------------------------------------------------
 */

/* A lookup hashes and compares the whole key, so it must not be large. */
static bool
is_small(ErlNifEnv *env, ERL_NIF_TERM t, unsigned *parts, unsigned depth)
{
	const ERL_NIF_TERM *e;
	ErlNifSInt64 i;
	ErlNifUInt64 u;
	struct bits b;
	ERL_NIF_TERM head;
	int n;
	for (;;) {
		if (!*parts || depth > MAX_KEY_DEPTH)
			return false;
		--*parts;
		switch (enif_term_type(env, t)) {
		case ERL_NIF_TERM_TYPE_INTEGER:
			return enif_get_int64(env, t, &i) || enif_get_uint64(env, t, &u);
		case ERL_NIF_TERM_TYPE_BITSTRING:
			return bits_of(t, &b) && b.nbits <= MAX_KEY_BYTES * 8;
		case ERL_NIF_TERM_TYPE_TUPLE:
			enif_get_tuple(env, t, &n, &e);
			for (int k = 0; k < n; k++)
				if (!is_small(env, e[k], parts, depth + 1))
					return false;
			return true;
		case ERL_NIF_TERM_TYPE_LIST:
			if (!enif_get_list_cell(env, t, &head, &t))
				return true;
			if (!is_small(env, head, parts, depth + 1))
				return false;
			continue; /* with the tail */
		case ERL_NIF_TERM_TYPE_MAP:
		case ERL_NIF_TERM_TYPE_FUN:
			return false;
		case ERL_NIF_TERM_TYPE_ATOM:
		case ERL_NIF_TERM_TYPE_FLOAT:
		case ERL_NIF_TERM_TYPE_PID:
		case ERL_NIF_TERM_TYPE_PORT:
		case ERL_NIF_TERM_TYPE_REFERENCE:
		default:
			return true;
		}
	}
}

/* Finds an existing atom with this name in UTF-8. The VM takes Latin-1, so other names are not found. */
static bool
existing_atom(ErlNifEnv *env, const char *s, size_t len, ERL_NIF_TERM *atom)
{
	char name[256];
	size_t n = 0;
	for (size_t i = 0; i < len; i++) {
		unsigned c = (unsigned char)s[i];
		if (c >= 0x80) {
			if ((c & 0xfe) != 0xc2 || i + 1 == len)
				return false;
			c = (c & 3) << 6 | ((unsigned char)s[++i] & 0x3f);
		}
		if (n == 255)
			return false;
		name[n++] = (char)c;
	}
	return enif_make_existing_atom_len(env, name, n, atom, ERL_NIF_LATIN1);
}

static bool
get_by_text(struct event *ev, ERL_NIF_TERM map, const struct term_query *q, ERL_NIF_TERM *value)
{
	ERL_NIF_TERM key;
	if (existing_atom(ev->env, q->text, q->textlen, &key) && enif_get_map_value(ev->env, map, key, value))
		return true;
	if (q->textlen > MAX_MADE_BINARY)
		return false;
	unsigned char *to = enif_make_new_binary(ev->env, q->textlen, &key);
	if (!to)
		return false;
	memcpy(to, q->text, q->textlen);
	return enif_get_map_value(ev->env, map, key, value);
}

static int
by_key(struct event *ev, ERL_NIF_TERM map, struct term_query *q)
{
	ERL_NIF_TERM key, value = 0;
	unsigned row, parts = MAX_KEY_PARTS;
	bool found = false;
	bool get = q->op == DIF_SUBR_TERM_MAP_GET;
	if (!enif_is_map(ev->env, map)) {
		q->result = 0;
		return get ? DIF_FAULT_ILLOP : 0;
	}
	switch (q->keykind) {
	case TERM_KEY_INT:
		found = enif_get_map_value(ev->env, map, enif_make_int64(ev->env, q->num), &value);
		break;
	case TERM_KEY_STRING:
		found = get_by_text(ev, map, q, &value);
		break;
	case TERM_KEY_TERM:
		if (!find(ev, q->key, &row, &key))
			return DIF_FAULT_BADADDR;
		if (!is_small(ev->env, key, &parts, 0))
			return DIF_FAULT_BADSIZE;
		found = enif_get_map_value(ev->env, map, key, &value);
		break;
	}
	if (!get) {
		q->result = found;
		return 0;
	}
	return found ? give_term(ev, value, q) : DIF_FAULT_BADINDEX;
}

int
terms_query(struct event *ev, struct term_query *q)
{
	ERL_NIF_TERM t, head, tail;
	unsigned row;
	if (!find(ev, q->term, &row, &t))
		return DIF_FAULT_BADADDR;
	switch (q->op) {
	case DIF_SUBR_TERM_TEXT:
		return give_text(ev, row, q);
	case DIF_SUBR_TERM_ATOM:
		return give_atom(ev, t, q);
	case DIF_SUBR_TERM_BINARY:
		return give_binary(ev, t, q);
	case DIF_SUBR_TERM_ELEMENT:
		return element(ev, t, q);
	case DIF_SUBR_TERM_HD:
	case DIF_SUBR_TERM_TL:
		if (!enif_get_list_cell(ev->env, t, &head, &tail))
			return DIF_FAULT_ILLOP;
		return give_term(ev, q->op == DIF_SUBR_TERM_HD ? head : tail, q);
	case DIF_SUBR_TERM_MAP_GET:
	case DIF_SUBR_TERM_IS_MAP_KEY:
		return by_key(ev, t, q);
	case DIF_SUBR_TERM_LENGTH:
		return count_cells(ev, t, &q->result);
	case DIF_SUBR_TERM_TUPLE_SIZE:
	case DIF_SUBR_TERM_MAP_SIZE:
	case DIF_SUBR_TERM_BYTE_SIZE:
	case DIF_SUBR_TERM_IOLIST_SIZE:
		return size_of(ev, t, q);
	case DIF_SUBR_TERM_INT:
		return integer(ev->env, t, &q->result);
	default:
		return is_kind(ev->env, t, q);
	}
}
