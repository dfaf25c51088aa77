/* Addresses, symbols and stacks, named by the handle's symboliser if there is one. */
#include "show/text.h"

#include <string.h>

void
text_name(struct sbuf *b, const struct show *s, uint64_t pid, uint64_t addr, enum et_symform form)
{
	const char *mod = NULL, *sym = NULL;
	uint64_t off = 0;
	bool known = s->sym && !s->noresolve && s->sym(s->symarg, (int64_t)pid, addr, &mod, &sym, &off);
	if (!known || !mod) {
		sb_printf(b, "0x%llx", (unsigned long long)addr);
		return;
	}
	bool jit = !*mod; /* code that is in no file has only a name */
	if (jit && form == ET_SYM_MODULE)
		mod = "[jit]";
	text_add_safe(b, s, mod, strlen(mod));
	if (form == ET_SYM_MODULE || (sym && !*sym))
		return; /* no symbol: the name says it all */
	if (!sym)
		sb_printf(b, "`0x%llx", (unsigned long long)addr);
	else {
		sb_adds(b, jit ? "" : "`");
		text_add_safe(b, s, sym, strlen(sym));
		if (form == ET_SYM_OFFSET && off)
			sb_printf(b, "+0x%llx", (unsigned long long)off);
	}
}

void
text_addr(struct sbuf *b, const struct show *s, uint64_t pid, uint64_t addr)
{
	text_name(b, s, pid, addr, ET_SYM_OFFSET);
}

enum et_symform
symform_of(uint8_t kind)
{
	switch (kind) {
	case DK_MOD:
	case DK_UMOD:
		return ET_SYM_MODULE;
	case DK_UADDR:
		return ET_SYM_OFFSET;
	default:
		return ET_SYM_NAME;
	}
}

void
text_sym(struct sbuf *b, const struct show *s, const struct val *v)
{
	text_name(b, s, v->pid, v->num, symform_of(v->kind));
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
