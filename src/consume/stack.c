/* Addresses, symbols and stacks, named by the handle's symboliser where there is one. */
#include "consume/text.h"

#include <string.h>

enum want { WANT_SYMBOL, WANT_MODULE, WANT_OFFSET };

static void
text_lookup(struct sbuf *b, const struct show *s, uint64_t pid, uint64_t addr, enum want want)
{
	const char *mod = NULL, *sym = NULL;
	uint64_t off = 0;
	bool known = s->sym && !s->noresolve && s->sym(s->symarg, (int64_t)pid, addr, &mod, &sym, &off);
	if (!known || !mod) {
		sb_printf(b, "0x%llx", (unsigned long long)addr);
		return;
	}
	bool jit = !*mod; /* code of no file: its name is all there is */
	if (jit && want == WANT_MODULE)
		mod = "[jit]";
	text_add_safe(b, s, mod, strlen(mod));
	if (want == WANT_MODULE || (sym && !*sym))
		return; /* no symbol: the name says it all */
	if (!sym)
		sb_printf(b, "`0x%llx", (unsigned long long)addr);
	else {
		sb_adds(b, jit ? "" : "`");
		text_add_safe(b, s, sym, strlen(sym));
		if (want == WANT_OFFSET && off)
			sb_printf(b, "+0x%llx", (unsigned long long)off);
	}
}

void
text_addr(struct sbuf *b, const struct show *s, uint64_t pid, uint64_t addr)
{
	text_lookup(b, s, pid, addr, WANT_OFFSET);
}

void
text_sym(struct sbuf *b, const struct show *s, const struct val *v)
{
	switch (v->kind) {
	case DK_MOD:
	case DK_UMOD:
		text_lookup(b, s, v->pid, v->num, WANT_MODULE);
		break;
	case DK_UADDR:
		text_lookup(b, s, v->pid, v->num, WANT_OFFSET);
		break;
	default:
		text_lookup(b, s, v->pid, v->num, WANT_SYMBOL);
		break;
	}
}

void
text_stack(struct sbuf *b, const struct show *s, const struct val *v, int width)
{
	size_t want = (size_t)(width < 0 ? -(long)width : width);
	sb_addc(b, '\n');
	for (unsigned i = 0; i < v->npcs; i++) {
		uint64_t pc;
		memcpy(&pc, v->pcs + i, sizeof pc);
		if (pc == 0)
			break;
		sb_fill(b, ' ', s->stackindent);
		struct sbuf frame = {0};
		text_addr(&frame, s, v->pid, pc);
		size_t pad = frame.len < want ? want - frame.len : 0;
		if (width > 0)
			sb_fill(b, ' ', pad);
		if (frame.failed)
			b->failed = true;
		else
			sb_add(b, frame.at, frame.len);
		if (width < 0)
			sb_fill(b, ' ', pad);
		sb_addc(b, '\n');
		sb_free(&frame);
	}
}
