/* Opening and closing, errors, options, handlers. */
#include "api/handle.h"
#include "sym/syms.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

const char *
et_version(void)
{
	return ET_VERSION_TEXT;
}

static void
forget_error(struct et *h)
{
	free(h->errmsg);
	h->errmsg = NULL;
	diag_free(&h->diag);
	h->diag = (struct diag){0};
}

int
api_fail(struct et *h, enum et_error err, const char *fmt, ...)
{
	va_list ap;
	char *msg = NULL;
	va_start(ap, fmt);
	if (vasprintf(&msg, fmt, ap) < 0)
		msg = NULL;
	va_end(ap);
	forget_error(h);
	h->err = (int)err;
	h->errmsg = msg;
	return -1;
}

int
api_fail_cs(struct et *h)
{
	return api_fail(h, h->cs.err, "%s", h->cs.why.text);
}

int
et_errno(struct et *h)
{
	return h->err;
}

const char *
et_errmsg(struct et *h, int err)
{
	static const char *const texts[ET_NERRORS] = {
#define X(id, text) [ET_E##id] = text,
	    ET_ERRORS(X)
#undef X
	};
	if (h && err == h->err && h->errmsg)
		return h->errmsg;
	return err >= 0 && err < ET_NERRORS ? texts[err] : "unknown error";
}

const struct et_diag *
et_errdiag(struct et *h)
{
	if (h->err != ET_ECOMPILE)
		return NULL;
	h->pubdiag = (struct et_diag){
	    .tag = h->diag.tag,
	    .file = h->diag.file,
	    .line = h->diag.line,
	    .col = h->diag.col,
	    .len = h->diag.len,
	    .msg = h->diag.msg ? h->diag.msg : "",
	    .hint = h->diag.hint,
	    .source = h->diag.source,
	};
	return &h->pubdiag;
}

struct et *
et_open(int version, int *err)
{
	int unused;
	if (!err)
		err = &unused;
	*err = ET_ENONE;
	if (version != ET_VERSION) {
		*err = ET_EVERSION;
		return NULL;
	}
	struct et *h = calloc(1, sizeof *h);
	if (!h) {
		*err = ET_ENOMEM;
		return NULL;
	}
	opts_init(&h->opts);
	atomic_init(&h->interrupted, false);
	h->target = -1;
	h->begin = h->end = -1;
	h->wakefd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	h->probes = probes_new();
	h->lang = lang_new(&h->opts);
	h->unit = unit_new();
	if (h->wakefd < 0 || !h->probes || !h->lang || !h->unit) {
		et_close(h);
		*err = ET_ENOMEM;
		return NULL;
	}
	probes_set_stop(h->probes, &h->interrupted);
	return h;
}

int
et_confine(struct et *h, const char *why)
{
	if (h->state != HS_OPEN || h->progs)
		return api_fail(h, ET_EORDER, "a handle is confined before anything is compiled");
	h->confined = why;
	probes_deny_kernel(h->probes, why);
	return 0;
}

void
et_close(struct et *h)
{
	if (!h)
		return;
	if (h->state == HS_GOING)
		api_halt(h);
	api_unmake(h);
	api_detach(h);
	syms_free(h->syms);
	for (struct et_prog *p = h->progs, *next; p; p = next) {
		next = p->next;
		free(p->name);
		free(p->stability);
		free(p);
	}
	dobj_free(&h->obj);
	if (h->unit)
		unit_free(h->unit);
	if (h->lang)
		lang_free(h->lang);
	if (h->probes)
		probes_free(h->probes);
	opts_free(&h->opts);
	forget_error(h);
	if (h->wakefd >= 0)
		close(h->wakefd);
	free(h);
}

int
et_setopt(struct et *h, const char *name, const char *value)
{
	const char *near;
	switch (opts_set(&h->opts, name, value)) {
	case OPT_OK:
		return 0;
	case OPT_UNKNOWN:
		near = opts_near(name);
		return near ? api_fail(h, ET_EOPTNAME, "unknown option '%s'; did you mean '%s'?", name, near)
			    : api_fail(h, ET_EOPTNAME, "unknown option '%s'", name);
	case OPT_BADVALUE:
		return value ? api_fail(h, ET_EOPTVALUE, "invalid value '%s' for option '%s', which takes %s", value,
				   name, opts_wants(name))
			     : api_fail(h, ET_EOPTVALUE, "option '%s' needs a value: %s", name, opts_wants(name));
	case OPT_TOOLATE:
		return api_fail(h, ET_EOPTLATE, "option '%s' cannot be changed any more", name);
	default:
		return api_fail(h, ET_ENOMEM, "out of memory");
	}
}

int
et_getopt(struct et *h, const char *name, int64_t *num, const char **str)
{
	if (opts_get(&h->opts, name, num, str) == OPT_OK)
		return 0;
	const char *near = opts_near(name);
	return near ? api_fail(h, ET_EOPTNAME, "unknown option '%s'; did you mean '%s'?", name, near)
		    : api_fail(h, ET_EOPTNAME, "unknown option '%s'", name);
}

int
et_set_target(struct et *h, int64_t pid)
{
	if (pid < -1)
		return api_fail(h, ET_EINVAL, "%lld is not a process id", (long long)pid);
	h->target = pid;
	return 0;
}

int
et_handle_target(struct et *h, et_target_f *fn, void *arg)
{
	probes_set_ready(h->probes, fn, arg);
	return 0;
}

int
et_set_show(struct et *h, unsigned show)
{
	if (show & ~(unsigned)(ET_SHOW_COLOUR | ET_SHOW_UNICODE | ET_SHOW_SAFE | ET_SHOW_UTF8))
		return api_fail(h, ET_EINVAL, "unknown way to show things: %#x", show);
	h->on.show = show;
	return 0;
}

int
et_set_symboliser(struct et *h, et_symbol_f *fn, void *arg)
{
	h->on.sym = fn;
	h->on.symstart = NULL;
	h->on.symarg = arg;
	return 0;
}

int
et_handle_err(struct et *h, et_err_f *fn, void *arg)
{
	h->on.err = fn;
	h->on.errarg = arg;
	return 0;
}

int
et_handle_drop(struct et *h, et_drop_f *fn, void *arg)
{
	h->on.drop = fn;
	h->on.droparg = arg;
	return 0;
}

int
et_handle_memory(struct et *h, et_memory_f *fn, void *arg)
{
	h->on.memory = fn;
	h->on.memoryarg = arg;
	return 0;
}

int
et_handle_setopt(struct et *h, et_setopt_f *fn, void *arg)
{
	h->on.setopt = fn;
	h->on.setoptarg = arg;
	return 0;
}

int
et_handle_buffered(struct et *h, et_buffered_f *fn, void *arg)
{
	h->on.buffered = fn;
	h->on.bufferedarg = arg;
	return 0;
}

static void
on_note(void *arg, const char *text)
{
	const struct et *h = arg;
	h->note(text, h->notearg);
}

int
et_handle_note(struct et *h, et_note_f *fn, void *arg)
{
	h->note = fn;
	h->notearg = arg;
	probes_set_note(h->probes, fn ? on_note : NULL, h);
	if (h->syms)
		syms_on_note(h->syms, fn ? on_note : NULL, h);
	return 0;
}

int
et_handle_clear(struct et *h, et_clear_f *fn, void *arg)
{
	h->on.clear = fn;
	h->on.cleararg = arg;
	return 0;
}

int
et_handle_alert(struct et *h, et_alert_f *fn, void *arg)
{
	h->on.alert = fn;
	h->on.alertarg = arg;
	return 0;
}
