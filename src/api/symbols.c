/* Names for addresses: the handle's own symboliser. And the text of values, which has such names in it. */
#include "api/handle.h"
#include "show/text.h"
#include "sym/syms.h"

struct syms *
api_syms(struct et *h)
{
	if (!h->syms && (h->syms = syms_new()))
		et_handle_note(h, h->note, h->notearg);
	return h->syms;
}

static bool
own_symbol(void *arg, int64_t pid, uint64_t addr, const char **module, const char **symbol, uint64_t *off)
{
	struct syms *s = api_syms(arg);
	return s && syms_lookup(s, pid, addr, module, symbol, off);
}

static uint64_t
own_start(void *arg, int64_t pid, uint64_t addr, bool module)
{
	struct syms *s = api_syms(arg);
	return s ? syms_start_of(s, pid, addr, module) : addr;
}

void
api_use_symbols(struct et *h)
{
	if (h->on.sym)
		return;
	h->on.sym = own_symbol;
	h->on.symarg = h;
	h->on.symstart = own_start;
}

bool
et_symbol(struct et *h, int64_t pid, uint64_t addr, const char **module, const char **symbol, uint64_t *off)
{
	if (!api_is_attached(h))
		api_use_symbols(h);
	return h->on.sym && h->on.sym(h->on.symarg, pid, addr, module, symbol, off);
}

char *
et_value_text(struct et *h, const struct et_value *v)
{
	struct sbuf b = {0};
	if (!api_is_attached(h))
		api_use_symbols(h);
	struct show s = {.sym = h->on.sym, .symarg = h->on.symarg, .noresolve = h->opts.num[OPT_NORESOLVE] != 0};
	text_value(&b, &s, v);
	return sb_take(&b);
}
