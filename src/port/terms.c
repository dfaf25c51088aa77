/* Values of D as Erlang terms, and the node's terms as text. */
#include "port/port.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Decodes one code point of well-formed UTF-8. Returns its length, or 0 if it is not one. */
static size_t
decode_utf8(const unsigned char *s, size_t len, unsigned *c)
{
	static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = s[0] < 0x80                   ? 1
		   : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
		   : (s[0] & 0xf0) == 0xe0       ? 3
		   : (s[0] & 0xf8) == 0xf0       ? 4
						 : 0;
	if (n == 0 || n > len)
		return 0;
	*c = n == 1 ? s[0] : s[0] & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (s[i] & 0x3fu);
	}
	bool surrogate = *c >= 0xd800 && *c < 0xe000;
	return *c >= least[n] && *c <= 0x10ffff && !surrogate ? n : 0;
}

/* Returns the number of code points, or SIZE_MAX if it is not UTF-8. *wide is set if one needs more than a byte. */
static size_t
count_chars(const char *text, size_t len, bool *wide)
{
	size_t n = 0;
	*wide = false;
	for (size_t i = 0; i < len; n++) {
		unsigned c = 0;
		size_t size = decode_utf8((const unsigned char *)text + i, len - i, &c);
		if (!size)
			return SIZE_MAX;
		*wide |= c > 255;
		i += size;
	}
	return n;
}

void
term_text(const struct port *p, ei_x_buff *x, const char *text, size_t len)
{
	bool wide;
	size_t n = count_chars(text, len, &wide);
	if (len > INT_MAX)
		len = INT_MAX;
	if (p->binaries) {
		ei_x_encode_binary(x, text, (int)len);
		return;
	}
	if (n == len || n == SIZE_MAX) { /* ASCII, or bytes as they are */
		ei_x_encode_string_len(x, text, (int)len);
		return;
	}
	ei_x_encode_list_header(x, (int)n);
	for (size_t i = 0; i < len;) {
		unsigned c = 0;
		i += decode_utf8((const unsigned char *)text + i, len - i, &c);
		ei_x_encode_ulong(x, c);
	}
	ei_x_encode_empty_list(x);
}

void
term_string(const struct port *p, ei_x_buff *x, const char *text)
{
	term_text(p, x, text, strlen(text));
}

/* What et_value_text() says. */
static void
term_named(const struct port *p, ei_x_buff *x, const struct et_value *v)
{
	char *text = et_value_text(p->h, v);
	term_string(p, x, text ? text : "");
	free(text);
}

static void
term_frames(const struct port *p, ei_x_buff *x, const struct et_value *v)
{
	for (unsigned i = 0; i < v->npcs; i++) {
		struct et_value frame = {
		    .kind = ET_K_SYMBOL, .form = ET_SYM_OFFSET, .pid = v->pid, .num = (int64_t)v->pcs[i]};
		ei_x_encode_list_header(x, 1);
		term_named(p, x, &frame);
	}
	ei_x_encode_empty_list(x);
}

void
term_value(const struct port *p, ei_x_buff *x, const struct et_value *v)
{
	switch (v->kind) {
	case ET_K_STRING:
		term_text(p, x, v->data, v->len);
		break;
	case ET_K_BYTES:
		ei_x_encode_binary(x, v->data, (int)v->len);
		break;
	case ET_K_STACK:
		term_frames(p, x, v);
		break;
	case ET_K_SYMBOL:
		term_named(p, x, v);
		break;
	default:
		if (v->is_signed)
			ei_x_encode_longlong(x, v->num);
		else
			ei_x_encode_ulonglong(x, (unsigned long long)v->num);
	}
}

void
term_probe(const struct port *p, ei_x_buff *x, const struct et_probe *probe)
{
	ei_x_encode_tuple_header(x, 4);
	term_string(p, x, probe->provider);
	term_string(p, x, probe->module);
	term_string(p, x, probe->function);
	term_string(p, x, probe->name);
}

void
term_lines(const struct port *p, ei_x_buff *x, const char *text)
{
	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n"), skip = strspn(line, " \t");
		if (skip < len) {
			ei_x_encode_list_header(x, 1);
			term_text(p, x, line + skip, len - skip);
		}
		line += len + (line[len] == '\n');
	}
	ei_x_encode_empty_list(x);
}

static char *
number_text(const ei_x_buff *x, int *index)
{
	char text[32];
	long long n;
	if (ei_decode_longlong(x->buff, index, &n))
		return NULL;
	snprintf(text, sizeof text, "%lld", n);
	return strdup(text);
}

char *
term_to_text(const ei_x_buff *x, int *index)
{
	int type, size;
	long len;
	if (ei_get_type(x->buff, index, &type, &size))
		return NULL;
	switch (type) {
	case ERL_BINARY_EXT:
	case ERL_STRING_EXT:
	case ERL_NIL_EXT: {
		char *text = calloc(1, (size_t)size + 1);
		int failed = !text || (type == ERL_BINARY_EXT ? ei_decode_binary(x->buff, index, text, &len)
							      : ei_decode_string(x->buff, index, text));
		if (failed || (type == ERL_BINARY_EXT && memchr(text, 0, (size_t)len))) {
			free(text);
			return NULL;
		}
		return text;
	}
	case ERL_ATOM_EXT:
	case ERL_SMALL_ATOM_EXT:
	case ERL_ATOM_UTF8_EXT:
	case ERL_SMALL_ATOM_UTF8_EXT: {
		char atom[MAXATOMLEN_UTF8] = "";
		return ei_decode_atom_as(x->buff, index, atom, sizeof atom, ERLANG_UTF8, NULL, NULL) ? NULL
												     : strdup(atom);
	}
	default:
		return number_text(x, index);
	}
}
