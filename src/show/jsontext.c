/* JSON: strings that are always valid UTF-8, and values. docs/json.md is the schema. */
#include "show/text.h"

#include "base/tame.h"

#include <string.h>

void
json_quote(struct sbuf *b, const char *text, size_t n)
{
	static const char from[] = "\b\f\n\r\t\\\"", to[] = "bfnrt\\\"";
	const unsigned char *s = (const unsigned char *)text;
	sb_addc(b, '"');
	for (size_t i = 0; i < n;) {
		size_t len = utf8_len(s + i, n - i);
		const char *p = s[i] ? strchr(from, s[i]) : NULL;
		if (len == 0)
			sb_adds(b, "\xef\xbf\xbd");
		else if (p) {
			char esc[2] = {'\\', to[p - from]};
			sb_add(b, esc, 2);
		} else if (tame_is_hidden(utf8_char(s + i, len)))
			sb_printf(b, "\\u%04x", utf8_char(s + i, len));
		else
			sb_add(b, text + i, len);
		i += len ? len : 1;
	}
	sb_addc(b, '"');
}

static void
json_sbuf(struct sbuf *b, struct sbuf *t)
{
	if (t->failed)
		b->failed = true;
	else
		json_quote(b, t->at ? t->at : "", t->len);
	sb_free(t);
}

void
json_value(struct sbuf *b, const struct show *s, const struct val *v)
{
	struct sbuf t = {0};
	switch (v->kind) {
	case DK_INT:
		text_dec(b, v->num, v->is_signed, 0);
		break;
	case DK_STRING:
	case DK_TERM:
		json_quote(b, v->at, v->len);
		break;
	case DK_BYTES:
		sb_adds(b, "{\"bytes\":\"");
		text_hex(b, v->at, v->len);
		sb_adds(b, "\"}");
		break;
	case DK_STACK:
	case DK_USTACK:
	case DK_JSTACK:
		sb_adds(b, "{\"stack\":[");
		for (unsigned i = 0; i < v->npcs; i++) {
			uint64_t pc;
			memcpy(&pc, v->pcs + i, sizeof pc);
			if (i)
				sb_addc(b, ',');
			text_addr(&t, s, v->pid, pc);
			json_sbuf(b, &t);
		}
		sb_adds(b, "]}");
		break;
	case DK_NONE:
		sb_adds(b, "null");
		break;
	default:
		text_sym(&t, s, v);
		json_sbuf(b, &t);
		break;
	}
}
