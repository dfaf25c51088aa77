/* Values from records and keys, and their plain columns. */
#include "show/text.h"

#include "object/key.h"
#include "show/pids.h"

#include <ctype.h>
#include <string.h>

static uint64_t
word(const char *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
	return v;
}

static uint64_t
load(const char *p, uint32_t size, bool is_signed)
{
	uint64_t v = 0;
	unsigned bits = 8 * size;
	if (size == 0 || size > 8)
		return 0;
	memcpy(&v, p, size);
	if (is_signed && bits < 64 && v >> (bits - 1))
		v |= ~(uint64_t)0 << bits;
	return v;
}

struct val
val_of_field(const struct dobj_field *f, const char *data)
{
	struct val v = {.kind = f->kind, .is_signed = f->is_signed, .size = f->size, .type = f->type};
	const char *p = data + f->offset;
	v.at = p;
	switch (f->kind) {
	case DK_INT:
		v.num = load(p, f->size, f->is_signed);
		break;
	case DK_STRING:
	case DK_TERM:
		v.len = strnlen(p, f->size);
		break;
	case DK_BYTES:
		v.len = f->size;
		break;
	case DK_SYM:
	case DK_MOD:
		if (f->size >= 8)
			v.num = word(p);
		break;
	case DK_USYM:
	case DK_UMOD:
	case DK_UADDR:
		if (f->size >= 16) {
			v.pid = word(p);
			v.num = word(p + 8);
		}
		break;
	case DK_STACK:
	case DK_USTACK:
	case DK_JSTACK:
		if (f->size >= 16) {
			uint64_t n = word(p + 8), room = (f->size - 16) / 8;
			v.pid = word(p);
			v.pcs = (const uint64_t *)(const void *)(p + 16);
			v.npcs = (unsigned)(n < room ? n : room);
		}
		break;
	default:
		break;
	}
	return v;
}

struct val
val_of_key(const struct dobj_key *k, const struct key_elem *e)
{
	return (struct val){
	    .kind = k->kind,
	    .is_signed = k->is_signed,
	    .size = k->kind == DK_INT ? k->size : (uint32_t)e->len,
	    .type = k->type,
	    .num = e->num,
	    .at = e->at,
	    .len = e->len,
	    .pid = e->pid,
	    .pcs = e->pcs,
	    .npcs = e->npcs,
	    .is_key = true,
	};
}

struct et_value
val_public(const struct val *v)
{
	struct et_value p = {
	    .is_signed = v->is_signed, .size = v->size, .num = (int64_t)v->num, .pid = (int64_t)v->pid};
	switch (v->kind) {
	case DK_STRING:
	case DK_TERM:
		p.kind = ET_K_STRING;
		p.data = v->at;
		p.len = v->len;
		break;
	case DK_BYTES:
		p.kind = ET_K_BYTES;
		p.data = v->at;
		p.len = v->len;
		break;
	case DK_STACK:
	case DK_USTACK:
	case DK_JSTACK:
		p.kind = ET_K_STACK;
		p.pcs = v->pcs;
		p.npcs = v->npcs;
		break;
	case DK_SYM:
	case DK_MOD:
	case DK_USYM:
	case DK_UMOD:
	case DK_UADDR:
		p.kind = ET_K_SYMBOL;
		p.form = symform_of(v->kind);
		break;
	default:
		p.kind = ET_K_INT;
		break;
	}
	return p;
}

void
text_dump(struct sbuf *b, const char *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	if (n == 0)
		return;
	sb_printf(b, "\n%11s", "");
	for (int i = 0; i < 16; i++)
		sb_printf(b, "  %c", digits[i]);
	sb_printf(b, "  %s\n", digits);
	for (size_t at = 0; at < n; at += 16) {
		size_t row = n - at < 16 ? n - at : 16;
		sb_printf(b, "%5s%5zx:", "", at);
		for (size_t i = 0; i < row; i++) {
			unsigned char c = (unsigned char)bytes[at + i];
			char hex[3] = {' ', digits[c >> 4], digits[c & 15]};
			sb_add(b, hex, 3);
		}
		sb_fill(b, ' ', 3 * (16 - row) + 2);
		for (size_t i = 0; i < row; i++) {
			char c = bytes[at + i];
			sb_addc(b, c < ' ' || c > '~' ? '.' : c);
		}
		sb_addc(b, '\n');
	}
}

/*
 * Returns whether bytes are text: printable characters, white space, backspace and bell, then only NULs. DTrace shows
 * such bytes as a string and others as a dump.
 */
static bool
looks_like_text(const char *s, size_t n, size_t *len)
{
	size_t i = 0;
	while (i < n && (isprint((unsigned char)s[i]) || isspace((unsigned char)s[i]) || s[i] == '\b' || s[i] == '\a'))
		i++;
	*len = i;
	if (i == 0)
		return false;
	while (i < n && s[i] == '\0')
		i++;
	return i == n;
}

const char *
text_named(struct sbuf *t, const struct show *s, const struct val *v, size_t *len)
{
	bool is_text = v->kind == DK_STRING || v->kind == DK_TERM;
	const char *name = s->pids && v->is_key && is_text ? pids_name(s->pids, v->at, v->len) : NULL;
	*len = v->len;
	if (!name)
		return v->at;
	sb_add(t, v->at, v->len);
	sb_addc(t, ' ');
	sb_adds(t, name);
	if (t->failed)
		return v->at;
	*len = t->len;
	return t->at;
}

/* A string or bytes in a column of `width`; negative means left-justified after two spaces. */
static void
text_bytes(struct sbuf *b, const struct show *s, const struct val *v, int width, bool quiet)
{
	size_t len = v->len;
	if (s->rawbytes || (v->kind == DK_BYTES && !looks_like_text(v->at, v->len, &len))) {
		/* Strings of records fill their field with NULs; those of keys have one. */
		size_t whole = v->kind == DK_BYTES ? v->len : v->size > v->len ? v->size : v->len + 1;
		text_dump(b, v->at, whole);
		return;
	}
	struct sbuf copy, named = {0};
	bool cut = len + 1 == v->size;
	const char *at = v->kind == DK_BYTES ? v->at : text_named(&named, s, v, &len);
	const char *text = text_safe(s, &copy, at, &len, cut && at == v->at);
	size_t want = (size_t)(width < 0 ? -width : width), pad = len < want && !quiet ? want - len : 0;
	if (!quiet)
		sb_adds(b, width < 0 ? "  " : " ");
	if (width > 0)
		sb_fill(b, ' ', pad);
	sb_add(b, text, len);
	if (width < 0)
		sb_fill(b, ' ', pad);
	b->failed |= copy.failed;
	sb_free(&copy);
	sb_free(&named);
}

void
text_dec(struct sbuf *b, uint64_t v, bool is_signed, unsigned width)
{
	char digits[24], *p = digits + sizeof digits;
	bool minus = is_signed && (int64_t)v < 0;
	if (minus)
		v = -v;
	do
		*--p = (char)('0' + v % 10);
	while (v /= 10);
	if (minus)
		*--p = '-';
	size_t n = (size_t)(digits + sizeof digits - p);
	if (n < width)
		sb_fill(b, ' ', width - n);
	sb_add(b, p, n);
}

static unsigned
int_width(uint32_t size)
{
	switch (size) {
	case 1:
		return 3;
	case 2:
		return 5;
	case 4:
		return 8;
	default:
		return 16;
	}
}

static void
text_int(struct sbuf *b, const struct val *v, bool quiet)
{
	if (!quiet)
		sb_addc(b, ' ');
	text_dec(b, v->num, v->is_signed, quiet ? 0 : int_width(v->size));
}

static bool
is_symbol(const struct val *v)
{
	return v->kind >= DK_SYM && v->kind <= DK_UADDR;
}

static bool
is_stack(const struct val *v)
{
	return v->kind >= DK_STACK && v->kind <= DK_JSTACK;
}

static void
text_symcol(struct sbuf *b, const struct show *s, const struct val *v)
{
	size_t from = b->len;
	sb_adds(b, "  ");
	text_sym(b, s, v);
	size_t used = b->len - from;
	if (used < 52)
		sb_fill(b, ' ', 52 - used);
}

/* Returns whether bytes are something other than characters: a structure, an array of numbers. */
static bool
is_binary(const struct show *s, const struct val *v)
{
	if (v->kind != DK_BYTES || !s->own || v->type >= s->own->ntypes)
		return false;
	const struct dobj_type *t = &s->own->types[v->type];
	while (t->kind == DT_ARRAY && t->ref < s->own->ntypes)
		t = &s->own->types[t->ref];
	return t->kind != DT_INT || t->size != 1;
}

/* If they have the size of a number they are shown as one, as in DTrace. */
static void
trace_binary(struct sbuf *b, const struct show *s, const struct val *v)
{
	struct val num = {.kind = DK_INT, .size = (uint32_t)v->len, .is_signed = v->len > 2};
	if (s->rawbytes || v->len > 8 || (v->len & (v->len - 1))) {
		text_dump(b, v->at, v->len);
		return;
	}
	memcpy(&num.num, v->at, v->len);
	if (v->len == 4)
		num.num = (uint64_t)(int32_t)num.num;
	text_int(b, &num, s->quiet);
}

void
text_trace(struct sbuf *b, const struct show *s, const struct val *v)
{
	if (v->kind == DK_INT)
		text_int(b, v, s->quiet);
	else if (is_binary(s, v))
		trace_binary(b, s, v);
	else if (is_stack(v))
		text_stack(b, s, v, 0);
	else if (is_symbol(v))
		text_symcol(b, s, v);
	else if (v->kind != DK_NONE)
		text_bytes(b, s, v, -33, s->quiet);
}

void
text_key(struct sbuf *b, const struct show *s, const struct val *v, bool packed)
{
	if (v->kind == DK_INT) {
		/* DTrace's columns of keys depend on the size, whatever the sign of the type. */
		struct val key = *v;
		key.is_signed = v->size > 2;
		if (v->size == 1)
			key.num = (uint8_t)v->num;
		else if (v->size == 2)
			key.num = (uint16_t)v->num;
		else if (v->size == 4)
			key.num = (uint64_t)(int32_t)v->num;
		text_int(b, &key, false);
	} else if (is_stack(v))
		text_stack(b, s, v, 0);
	else if (is_symbol(v))
		text_symcol(b, s, v);
	else if (v->kind != DK_NONE)
		text_bytes(b, s, v, packed ? 16 : -50, false);
}

void
text_hex(struct sbuf *b, const char *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];
		char hex[2] = {digits[c >> 4], digits[c & 15]};
		sb_add(b, hex, 2);
	}
}

void
text_value(struct sbuf *b, const struct show *s, const struct et_value *v)
{
	const char *sep = "";
	switch (v->kind) {
	case ET_K_INT:
		text_dec(b, (uint64_t)v->num, v->is_signed, 0);
		break;
	case ET_K_STRING:
		sb_add(b, v->data, v->len);
		break;
	case ET_K_BYTES:
		text_hex(b, v->data, v->len);
		break;
	case ET_K_STACK:
		for (unsigned i = v->npcs; i-- > 0;) {
			uint64_t pc;
			memcpy(&pc, v->pcs + i, sizeof pc);
			if (!pc)
				continue;
			sb_adds(b, sep);
			text_name(b, s, (uint64_t)v->pid, pc, ET_SYM_NAME);
			sep = ";";
		}
		break;
	case ET_K_SYMBOL:
		text_name(b, s, (uint64_t)v->pid, (uint64_t)v->num, v->form);
		break;
	}
}

unsigned
text_key_width(const struct val *v)
{
	return (v->kind == DK_INT ? int_width(v->size) : 16) + 1;
}

void
text_escape(struct sbuf *b, const char *s, size_t n)
{
	static const char from[] = "\a\b\f\n\r\t\v\\\"", to[] = "abfnrtv\\\"";
	for (size_t i = 0; i < n; i++) {
		char c = s[i];
		const char *p = c ? strchr(from, c) : NULL;
		if (p) {
			char esc[2] = {'\\', to[p - from]};
			sb_add(b, esc, 2);
		} else if (c == '\0')
			sb_adds(b, "\\0");
		else if (c < ' ' || c > '~')
			sb_printf(b, "\\%03o", (unsigned)(unsigned char)c);
		else
			sb_addc(b, c);
	}
}
