/* Programs: compiling, loading, saving, enabling, listing. */
#include "api/handle.h"
#include "base/sbuf.h"
#include "engine/engine.h"
#include "object/counts.h"
#include "object/disasm.h"
#include "object/narrow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 64 << 20 }; /* bytes of a program in a file: /dev/zero has no end */

static struct et_prog *
add_program(struct et *h, const char *name, unsigned clause, unsigned nclauses, char *stability)
{
	struct et_prog *p = calloc(1, sizeof *p);
	char *copy = strdup(name);
	if (!p || !copy) {
		free(p);
		free(copy);
		api_fail(h, ET_ENOMEM, "out of memory");
		return NULL;
	}
	*p = (struct et_prog){.name = copy, .clause = clause, .nclauses = nclauses, .stability = stability};
	if (h->last)
		h->last->next = p;
	else
		h->progs = p;
	h->last = p;
	return p;
}

static void
fail_compile(struct et *h, struct diag *d)
{
	char *msg = d->tag ? diag_format(d, h->opts.num[OPT_ERRTAGS] != 0) : NULL;
	if (!d->tag || !msg) {
		diag_free(d);
		api_fail(h, ET_ENOMEM, "out of memory");
		return;
	}
	api_fail(h, ET_ECOMPILE, "%s", msg);
	h->diag = *d;
	free(msg);
}

/* Flags of one call act as options during it. */
static const struct {
	unsigned flag;
	enum opt_id id;
	int64_t value;
} flag_opts[] = {
    {ET_C_CPP, OPT_CPP, 1}, {ET_C_ZDEFS, OPT_ZDEFS, 1}, {ET_C_EMPTY, OPT_EMPTY, 1}, {ET_C_LIST, OPT_ZDEFS, 2}};
enum { NFLAGS = sizeof flag_opts / sizeof *flag_opts };

static bool
check_compile(struct et *h, unsigned cflags)
{
	if (h->state != HS_OPEN)
		api_fail(h, ET_EORDER, "programs are compiled before tracing starts");
	else if (h->has_object)
		api_fail(h, ET_EMIXED, "a D object cannot be combined with other programs in one handle");
	else if (cflags & ~(unsigned)(ET_C_CPP | ET_C_ZDEFS | ET_C_EMPTY | ET_C_LIST))
		api_fail(h, ET_EINVAL, "unknown flags for compiling: %#x", cflags);
	else
		return true;
	return false;
}

static struct et_prog *
compile(struct et *h, struct job *job, const char *name, unsigned cflags)
{
	struct compiled out = {0};
	struct diag d = {0};
	int64_t before[NFLAGS];
	for (unsigned i = 0; i < NFLAGS; i++) {
		before[i] = h->opts.num[flag_opts[i].id];
		if (cflags & flag_opts[i].flag)
			h->opts.num[flag_opts[i].id] = flag_opts[i].value;
	}
	job->lang = h->lang;
	job->unit = h->unit;
	job->probes = h->probes;
	job->opts = &h->opts;
	job->target = h->target;
	bool ok = et_compile(job, &out, &d);
	for (unsigned i = NFLAGS; i-- > 0;)
		if (cflags & flag_opts[i].flag)
			h->opts.num[flag_opts[i].id] = before[i];
	if (!ok && atomic_load(&h->interrupted)) {
		diag_free(&d);
		api_fail(h, ET_EINTERRUPTED, "interrupted");
		return NULL;
	}
	if (!ok) {
		fail_compile(h, &d);
		return NULL;
	}
	struct et_prog *p = add_program(h, name, out.clause, out.nclauses, out.stability);
	if (!p)
		free(out.stability);
	return p;
}

int
api_pspec(enum et_probespec spec)
{
	static const int pspecs[] = {PS_NAME, PS_PROVIDER, PS_MODULE, PS_FUNC, PS_PROBEID};
	return pspecs[spec];
}

struct et_prog *
et_program_strcompile(
    struct et *h, const char *text, enum et_probespec spec, unsigned cflags, int argc, const char *const *argv)
{
	if (!check_compile(h, cflags))
		return NULL;
	if ((unsigned)spec > ET_PROBESPEC_ID || argc < 0 || (argc && !argv)) {
		api_fail(h, ET_EINVAL, "invalid argument");
		return NULL;
	}
	struct job job = {
	    .file = "<command line>",
	    .text = text,
	    .len = strlen(text),
	    .argc = argc,
	    .argv = argv,
	    .pspec = api_pspec(spec),
	};
	return compile(h, &job, text, cflags);
}

/* Reads the whole stream onto the heap. Returns NULL on failure; h says why. */
static char *
read_all(struct et *h, FILE *fp, const char *name, size_t *len)
{
	struct sbuf b = {0};
	sb_add(&b, "", 0);
	bool whole = sb_read(&b, fp, MOST_TEXT + 1);
	if (whole && b.len > MOST_TEXT) {
		api_fail(h, ET_EREAD, "failed to read %s: it is longer than %d MiB, the most that a program may have",
		    name, MOST_TEXT >> 20);
		sb_free(&b);
		return NULL;
	}
	if (!whole) {
		api_fail(h, ET_EREAD, "failed to read %s: %s", name, strerror(errno));
		sb_free(&b);
		return NULL;
	}
	*len = b.len;
	char *at = sb_take(&b);
	if (!at)
		api_fail(h, ET_ENOMEM, "out of memory");
	return at;
}

struct et_prog *
et_program_fcompile(struct et *h, FILE *fp, const char *name, unsigned cflags, int argc, const char *const *argv)
{
	if (!check_compile(h, cflags))
		return NULL;
	if (argc < 0 || (argc && !argv)) {
		api_fail(h, ET_EINVAL, "invalid argument");
		return NULL;
	}
	struct job job = {.file = name, .argc = argc, .argv = argv, .pspec = PS_NAME, .is_file = true};
	char *text = read_all(h, fp, name, &job.len);
	if (!text)
		return NULL;
	job.text = text;
	struct et_prog *p = compile(h, &job, name, cflags);
	free(text);
	return p;
}

bool
et_is_object(const void *bytes, size_t len)
{
	return len >= 8 && memcmp(bytes, "\177DOBJ\r\n\032", 8) == 0;
}

/* Options that the program set when it was compiled. */
static int
object_options(struct et *h)
{
	for (uint32_t i = 0; i < h->obj.nopts; i++) {
		const struct dobj_opt *o = &h->obj.opts[i];
		if (et_setopt(
			h, dobj_str(&h->obj, o->name), o->value == DOBJ_NONE ? NULL : dobj_str(&h->obj, o->value)) != 0)
			return -1;
	}
	return 0;
}

struct et_prog *
et_program_load(struct et *h, const void *bytes, size_t len, const char *name)
{
	struct why why = {""};
	if (h->state != HS_OPEN) {
		api_fail(h, ET_EORDER, "programs are loaded before tracing starts");
		return NULL;
	}
	if (h->progs) {
		api_fail(h, ET_EMIXED, "a D object cannot be combined with other programs in one handle");
		return NULL;
	}
	if (!dobj_read(&h->obj, bytes, len, &why) || !dobj_verify(&h->obj, &why)) {
		dobj_free(&h->obj);
		h->obj = (struct dobj){0};
		api_fail(h, ET_EOBJECT, "%s is not a valid D object: %s", name, why.text);
		return NULL;
	}
	struct et_prog *p = NULL;
	if (object_options(h) == 0)
		p = add_program(h, name, 0, h->obj.nclauses, NULL);
	h->has_object = p != NULL;
	if (!p) {
		dobj_free(&h->obj);
		h->obj = (struct dobj){0};
	}
	return p;
}

int
api_object(struct et *h, struct dobj *o)
{
	if (!unit_object(h->unit, o))
		return api_fail(h, ET_ENOMEM, "out of memory");
	return 0;
}

int
et_program_save(struct et *h, void **bytes, size_t *len)
{
	struct dobj o;
	if (h->has_object)
		return api_fail(h, ET_EMIXED, "the program is a D object already");
	if (!h->progs)
		return api_fail(h, ET_ENOPROG, "no program was compiled");
	if (api_object(h, &o) != 0)
		return -1;
	bool ok = dobj_write(&o, bytes, len);
	dobj_free(&o);
	return ok ? 0 : api_fail(h, ET_ENOMEM, "out of memory");
}

/* -- probes of programs ---------------------------------------------------------------------------------------- */

struct et_probe
api_probe(const struct probe *p)
{
	return (struct et_probe){
	    .id = p->id,
	    .provider = p->names[0],
	    .module = p->names[1],
	    .function = p->names[2],
	    .name = p->names[3],
	    .argtypes = p->argtypes,
	    .stability = p->pv ? p->pv->stability : NULL,
	    .refusal = erlang_refusal(p),
	    .argnames = p->argnames ? p->argnames : erlang_arg_names(p),
	};
}

static int
fail_match(struct et *h, const char *why)
{
	if (atomic_load(&h->interrupted))
		return api_fail(h, ET_EINTERRUPTED, "interrupted");
	return api_fail(h, ET_ENOPROBE, "%s", why[0] ? why : "no such probe");
}

int
api_clause_probes(
    struct et *h, const struct dobj *o, unsigned clause, void (*fn)(void *arg, const struct probe *p), void *arg)
{
	const struct dobj_clause *c = &o->clauses[clause];
	struct why why = {""};
	int total = 0;
	for (uint32_t i = 0; i < c->npdescs; i++) {
		const struct dobj_pdesc *d = &o->pdescs[c->pdesc + i];
		struct pdesc pd = {
		    d->id, {dobj_str(o, d->prov), dobj_str(o, d->mod), dobj_str(o, d->func), dobj_str(o, d->name)}};
		h->pdesc = c->pdesc + i;
		int n = probes_match(h->probes, &pd, fn, arg, &why);
		if (n < 0)
			return fail_match(h, why.text);
		total += n;
	}
	return total;
}

/* Finds the object that has p's clauses: the loaded one, or a copy to be freed with drop_object. */
static int
object_of(struct et *h, struct dobj *copy, const struct dobj **o)
{
	*copy = (struct dobj){0};
	*o = &h->obj;
	if (h->has_object || h->state != HS_OPEN)
		return 0;
	*o = copy;
	return api_object(h, copy);
}

static bool
names_files(const struct dobj *o, const struct dobj_clause *c)
{
	for (uint32_t g = 0; g < c->ngroups; g++)
		for (uint32_t i = 0; i < o->groups[c->group + g].nacts; i++) {
			uint32_t kind = o->acts[o->groups[c->group + g].act + i].kind;
			if (kind == DA_FREOPEN || kind == DA_FTRUNCATE || kind == DA_PCAP)
				return true;
		}
	return false;
}

int
et_program_info(struct et *h, struct et_prog *p, struct et_proginfo *info)
{
	struct dobj copy;
	const struct dobj *o;
	if (object_of(h, &copy, &o) != 0)
		return -1;
	*info = (struct et_proginfo){.clauses = p->nclauses, .stability = p->stability};
	int n = 0;
	for (unsigned i = 0; n >= 0 && i < p->nclauses; i++) {
		n = api_clause_probes(h, o, p->clause + i, NULL, NULL);
		if (n > 0)
			info->matches += (unsigned)n;
		info->files |= names_files(o, &o->clauses[p->clause + i]);
		info->destructive |= (o->clauses[p->clause + i].flags & DC_DESTRUCTIVE) != 0;
	}
	dobj_free(&copy);
	return n < 0 ? -1 : 0;
}

int
et_program_exec(struct et *h, struct et_prog *p, struct et_proginfo *info)
{
	struct et_proginfo own;
	if (h->state != HS_OPEN)
		return api_fail(h, ET_EORDER, "programs are enabled before tracing starts");
	if (p->enabled)
		return api_fail(h, ET_EORDER, "the program is enabled already");
	if (et_program_info(h, p, info ? info : &own) != 0)
		return -1;
	p->enabled = true;
	return 0;
}

char *
et_program_narrowed(struct et *h, struct et_prog *p)
{
	struct dobj copy;
	const struct dobj *o;
	struct sbuf b = {0};
	if (object_of(h, &copy, &o) != 0)
		return NULL;
	sb_adds(&b, "");
	for (unsigned i = 0; i < p->nclauses; i++)
		narrow_text(&b, o, p->clause + i, "\t");
	dobj_free(&copy);
	char *all = sb_take(&b);
	if (!all)
		api_fail(h, ET_ENOMEM, "out of memory");
	return all;
}

/* Whether one of the clause's probes is a function by name. */
static bool
names_function(const struct dobj *o, const struct dobj_clause *c)
{
	for (uint32_t i = 0; i < c->npdescs; i++) {
		const struct dobj_pdesc *d = &o->pdescs[c->pdesc + i];
		if (*dobj_str(o, d->mod) && eng_role_of(dobj_str(o, d->prov), dobj_str(o, d->name)) == ROLE_EVENT)
			return true;
	}
	return false;
}

int
et_program_counts(struct et *h, struct et_prog *p)
{
	struct dobj copy;
	const struct dobj *o;
	bool counts = true;
	if (object_of(h, &copy, &o) != 0)
		return -1;
	for (unsigned i = 0; i < p->nclauses && counts; i++)
		counts = !names_function(o, &o->clauses[p->clause + i]) || counts_only(o, &o->clauses[p->clause + i]);
	dobj_free(&copy);
	return counts;
}

char *
et_disasm(struct et *h, struct et_prog *p)
{
	struct dobj copy;
	const struct dobj *o;
	struct sbuf b = {0};
	if (object_of(h, &copy, &o) != 0)
		return NULL;
	for (unsigned i = 0; i < p->nclauses; i++) {
		char *text = dif_disasm(o, p->clause + i);
		if (text)
			sb_adds(&b, text);
		else
			b.failed = true;
		free(text);
	}
	dobj_free(&copy);
	char *all = sb_take(&b);
	if (!all)
		api_fail(h, ET_ENOMEM, "out of memory");
	return all;
}

struct iter {
	struct et *h;
	et_probe_f *fn;
	void *arg;
	int stop;
};

static void
iter_one(void *arg, const struct probe *p)
{
	struct iter *it = arg;
	if (it->stop)
		return;
	struct et_probe pub = api_probe(p);
	struct probe_args a = probes_args(it->h->probes, p);
	pub.argtypes = a.types;
	pub.argnames = a.names ? a.names : pub.argnames;
	pub.argsource = a.source;
	it->stop = it->fn(it->h, &pub, it->arg);
}

int
et_program_probes(struct et *h, struct et_prog *p, et_probe_f *fn, void *arg)
{
	struct dobj copy;
	const struct dobj *o;
	struct iter it = {h, fn, arg, 0};
	if (object_of(h, &copy, &o) != 0)
		return -1;
	int n = 0, total = 0;
	for (unsigned i = 0; n >= 0 && !it.stop && i < p->nclauses; i++) {
		n = api_clause_probes(h, o, p->clause + i, fn ? iter_one : NULL, &it);
		total += n > 0 ? n : 0;
	}
	dobj_free(&copy);
	return n < 0 ? -1 : it.stop ? it.stop : total;
}

/* Splits at colons from the right; spec says which field is the last. Returns false if there are too many fields. */
static bool
split(char *text, enum et_probespec spec, struct pdesc *d)
{
	int at = spec == ET_PROBESPEC_NAME ? 3 : spec == ET_PROBESPEC_FUNC ? 2 : spec == ET_PROBESPEC_MOD ? 1 : 0;
	char *colon;
	for (; at >= 0; at--) {
		colon = strrchr(text, ':');
		if (!colon) {
			d->names[at] = text;
			return true;
		}
		*colon = '\0';
		d->names[at] = colon + 1;
	}
	return false;
}

int
et_probe_iter(struct et *h, const char *desc, enum et_probespec spec, et_probe_f *fn, void *arg)
{
	struct why why = {""};
	struct pdesc d = {0, {"", "", "", ""}};
	struct iter it = {h, fn, arg, 0};
	char *text = strdup(desc ? desc : "");
	if (!text)
		return api_fail(h, ET_ENOMEM, "out of memory");
	bool ok = true;
	if (spec == ET_PROBESPEC_ID && desc) {
		char *end;
		errno = 0;
		unsigned long id = strtoul(text, &end, 10);
		ok = errno == 0 && end != text && !*end && id > 0 && id <= UINT32_MAX;
		d.id = (uint32_t)id;
	} else if (desc)
		ok = split(text, spec, &d);
	if (!ok) {
		free(text);
		return api_fail(h, ET_EINVAL, "invalid probe description '%s'", desc);
	}
	int n = probes_match(h->probes, &d, fn ? iter_one : NULL, &it, &why);
	free(text);
	if (n < 0)
		return fail_match(h, why.text);
	return it.stop ? it.stop : n;
}
