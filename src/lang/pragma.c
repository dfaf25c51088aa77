/*
 * Control lines: #pragma D option, attributes, binding, depends_on; #error, #ident, #line and the line markers of the
 * preprocessor. They are carried out as soon as they are read, in a clause too.
 */
#include "lang/lang.h"
#include "lang/lex.h"

#include <string.h>

enum { MAXWORDS = 32 };

/* A word of the line: a name, a number or a quoted text. */
struct word {
	enum { W_NAME, W_NUM, W_TEXT } kind;
	const char *text;
	uint64_t num;
};

struct control {
	struct lexer *lx;
	struct pos pos; /* the whole line */
	struct word w[MAXWORDS];
	unsigned n;
};

static bool
is_gap(char c)
{
	return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r';
}

static uint32_t
read_quoted(struct control *c, struct word *w, uint32_t at, uint32_t end)
{
	const char *s = c->lx->text;
	uint32_t i = at + 1;
	while (i < end && s[i] != '"')
		i += s[i] == '\\' && i + 1 < end ? 2 : 1;
	if (i >= end)
		cc_error(c->lx->cc, c->pos, "D_STR_NL", "newline encountered in string literal");
	char *out = ar_alloc(c->lx->cc->ar, i - at);
	lex_escapes(c->lx, s + at + 1, i - at - 1, out, c->pos);
	w->kind = W_TEXT;
	w->text = out;
	return i + 1;
}

static void
read_words(struct control *c, uint32_t at, uint32_t end)
{
	const char *s = c->lx->text;
	while (at < end) {
		if (is_gap(s[at])) {
			at++;
			continue;
		}
		/* A comment behind the words ends them. */
		if (s[at] == '/' && at + 1 < end && (s[at + 1] == '/' || s[at + 1] == '*'))
			return;
		if (c->n == MAXWORDS)
			cc_error(
			    c->lx->cc, c->pos, "D_PRAGMA_MALFORM", "control line has more than %d words", MAXWORDS);
		struct word *w = &c->w[c->n++];
		if (s[at] == '"') {
			at = read_quoted(c, w, at, end);
			continue;
		}
		uint32_t i = at;
		bool is_num = true;
		while (i < end && !is_gap(s[i]) && s[i] != '"')
			is_num &= lex_is_digit(s[i++]);
		w->kind = is_num ? W_NUM : W_NAME;
		w->text = ar_strndup(c->lx->cc->ar, s + at, i - at);
		for (uint32_t k = at; is_num && k < i && w->num < UINT32_MAX; k++)
			w->num = w->num * 10 + (uint64_t)(s[k] - '0');
		at = i;
	}
}

/* Returns whether `text` is one of the names, up to `sep` or the end, and moves behind it. */
static bool
take_name(const char **text, const char *const *names, char sep)
{
	size_t n = sep ? strcspn(*text, "/") : strlen(*text);
	for (; *names; names++) {
		if (strlen(*names) == n && memcmp(*names, *text, n) == 0 && (*text)[n] == sep) {
			*text += n + (sep != '\0');
			return true;
		}
	}
	return false;
}

/* "Stable/Evolving/ISA" */
static bool
is_attributes(const char *s)
{
	static const char *const stab[] = {
	    "Internal", "Private", "Obsolete", "External", "Unstable", "Evolving", "Stable", "Standard", NULL};
	static const char *const class[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common", NULL};
	for (int i = 0; i < 2; i++) {
		if (!take_name(&s, stab, '/'))
			return false;
	}
	return take_name(&s, class, '\0');
}

static bool
is_builtin(const char *name)
{
	static const char *const names[] = {
#define X(id, bi, type, flags) bi,
	    DIF_BUILTINS(X)
#undef X
		"args",
	};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* The pragma takes effect when the program ends, because the name may still be defined. */
static void
defer(struct control *c, const char *name, const char *attrs)
{
	struct lexer *lx = c->lx;
	if (is_builtin(name) && !lx->cc->is_lib)
		cc_error(lx->cc, c->pos, "D_PRAGMA_SCOPE",
		    "#pragma cannot modify entity defined outside program scope: %s", name);
	struct arena *ar = &lx->cc->lang->ar;
	struct pending *p = AR_NEW(ar, struct pending);
	*p = (struct pending){.name = ar_strdup(ar, name), .attrs = attrs ? ar_strdup(ar, attrs) : NULL, .pos = c->pos};
	*lx->pending_tail = p;
	lx->pending_tail = &p->next;
}

static void
do_attributes(struct control *c, unsigned i)
{
	struct cc *cc = c->lx->cc;
	if (c->n < i + 2 || c->w[i].kind != W_NAME || c->w[i + 1].kind != W_NAME)
		cc_error(cc, c->pos, "D_PRAGMA_MALFORM", "malformed #pragma attributes <attributes> <ident>");
	if (!is_attributes(c->w[i].text))
		cc_error_hint(cc, c->pos, "D_PRAGMA_INVAL", "three words such as Stable/Evolving/Common",
		    "invalid attributes specified by #pragma attributes");
	if (strcmp(c->w[i + 1].text, "provider") != 0) {
		defer(c, c->w[i + 1].text, c->w[i].text);
		return;
	}
	static const char *const parts[] = {"provider", "module", "function", "name", "args", NULL};
	if (c->n < i + 4)
		cc_error(
		    cc, c->pos, "D_PRAGMA_MALFORM", "malformed #pragma attributes <attributes> provider <name> <part>");
	const char *part = c->w[i + 3].text;
	if (!take_name(&part, parts, '\0'))
		cc_error(cc, c->pos, "D_PRAGMA_INVAL", "invalid component \"%s\" in attribute #pragma for provider %s",
		    c->w[i + 3].text, c->w[i + 2].text);
}

static bool
is_version(const char *s)
{
	unsigned parts = 0;
	for (; lex_is_digit(*s); parts++) {
		s += strspn(s, "0123456789");
		if (*s != '.')
			return *s == '\0' && parts >= 1 && parts <= 2;
		s++;
	}
	return false;
}

static void
do_binding(struct control *c, unsigned i)
{
	if (c->n < i + 2 || c->w[i].kind != W_TEXT || c->w[i + 1].kind != W_NAME)
		cc_error(c->lx->cc, c->pos, "D_PRAGMA_MALFORM", "malformed #pragma binding \"version\" <ident>");
	if (!is_version(c->w[i].text))
		cc_error(c->lx->cc, c->pos, "D_PRAGMA_INVAL", "invalid version string specified by #pragma binding");
	defer(c, c->w[i + 1].text, NULL);
}

static bool
has_provider(struct cc *cc, const char *name)
{
	for (const struct provider *const *pv = provider_table; *pv; pv++)
		if (strcmp((*pv)->name, name) == 0)
			return true;
	struct why why;
	struct pdesc d = {.names = {name, "", "", ""}};
	return cc->probes && probes_match(cc->probes, &d, NULL, NULL, &why) > 0;
}

static bool
has_module(struct cc *cc, const char *name)
{
	struct why why;
	struct pdesc d = {.names = {"", name, "", ""}};
	return cc->probes && probes_match(cc->probes, &d, NULL, NULL, &why) > 0;
}

static void
do_depends_on(struct control *c, unsigned i)
{
	struct cc *cc = c->lx->cc;
	if (c->n < i + 2 || c->w[i].kind != W_NAME || c->w[i + 1].kind != W_NAME)
		cc_error(cc, c->pos, "D_PRAGMA_MALFORM", "malformed #pragma depends_on <class> <name>");
	const char *class = c->w[i].text, *name = c->w[i + 1].text;
	bool found;
	if (strcmp(class, "provider") == 0)
		found = has_provider(cc, name);
	else if (strcmp(class, "module") == 0)
		found = has_module(cc, name);
	else if (strcmp(class, "library") == 0) {
		if (!c->lx->libs)
			cc_error(cc, c->pos, "D_PRAGMA_DEPEND", "main program may not explicitly depend on a library");
		found = c->lx->libs->loaded(c->lx->libs, name);
	} else
		cc_error_hint(cc, c->pos, "D_PRAGMA_INVAL", "classes are module, provider and library",
		    "invalid class %s specified by #pragma depends_on", class);
	if (!found)
		cc_error(cc, c->pos, "D_PRAGMA_DEPEND", "program requires %s %s", class, name);
}

static void
do_error(struct control *c, unsigned i)
{
	const char *text = "";
	for (; i < c->n; i++)
		text = ar_printf(c->lx->cc->ar, "%s%s%s", text, *text ? " " : "", c->w[i].text);
	cc_error(c->lx->cc, c->pos, "D_PRAGERR", "#error: %s", text);
}

static void
do_option(struct control *c, unsigned i)
{
	struct cc *cc = c->lx->cc;
	if (c->n <= i || c->w[i].kind != W_NAME)
		cc_error(cc, c->pos, "D_PRAGMA_MALFORM", "malformed #pragma option <option>=<val>");
	if (c->n > i + 1)
		cc_error(cc, c->pos, "D_PRAGMA_MALFORM", "superfluous arguments specified for #pragma option");
	const char *text = c->w[i].text, *eq = strchr(text, '='), *value = eq ? eq + 1 : NULL;
	const char *name = eq ? ar_strndup(cc->ar, text, (size_t)(eq - text)) : text;
	const char *hint = NULL, *near, *why = "";
	if (opts_is_outside(name))
		cc_error_hint(cc, c->pos, "D_PRAGMA_OPTSET", "use -x on the command line",
		    "failed to set option '%s': it cannot be set inside a script", name);
	switch (opts_set(cc->opts, name, value)) {
	case OPT_OK:
		if (strcmp(name, "strsize") == 0)
			types_set_strsize(cc->lang->types, (uint32_t)cc->opts->num[OPT_STRSIZE]);
		if (cc->set_option && !cc->is_lib)
			cc->set_option(cc, name, value);
		return;
	case OPT_NOMEM:
		longjmp(*cc->fail, 1);
	case OPT_UNKNOWN:
		why = "invalid option name";
		near = opts_near(name);
		hint = near ? ar_printf(cc->ar, "did you mean '%s'?", near) : NULL;
		break;
	case OPT_BADVALUE:
		why = value ? "invalid value for specified option" : "the option needs a value";
		hint = ar_printf(cc->ar, "it takes %s", opts_wants(name));
		break;
	case OPT_TOOLATE:
		why = "the option cannot be changed after tracing has started";
		break;
	}
	if (value)
		cc_error_hint(
		    cc, c->pos, "D_PRAGMA_OPTSET", hint, "failed to set option '%s' to '%s': %s", name, value, why);
	cc_error_hint(cc, c->pos, "D_PRAGMA_OPTSET", hint, "failed to set option '%s': %s", name, why);
}

static const char *
file_name(struct lexer *lx, const char *name)
{
	/* The preprocessor reads the main program from its standard input. */
	if (strcmp(name, "<stdin>") == 0 || strcmp(name, "-") == 0)
		return lx->cc->file;
	const char *known = sm_gets(&lx->files, name);
	if (!known) {
		char *copy = ar_strdup(&lx->cc->lang->ar, name);
		sm_puts(&lx->files, copy, copy);
		known = copy;
	}
	return known;
}

/* line ["file" [flag ...]] */
static void
do_line(struct control *c, unsigned i)
{
	struct lexer *lx = c->lx;
	bool bad = c->n <= i || c->w[i].kind != W_NUM || (c->n > i + 1 && c->w[i + 1].kind != W_TEXT);
	for (unsigned k = i + 2; k < c->n; k++)
		bad |= c->w[k].kind != W_NUM;
	if (bad)
		cc_error(lx->cc, c->pos, "D_PRAGMA_MALFORM", "malformed #line <line> [ [\"file\"] state ]");
	for (unsigned k = i + 2; k < c->n; k++) {
		if (c->w[k].num == 1)
			lx->include_depth++;
		else if (c->w[k].num == 2 && lx->include_depth)
			lx->include_depth--;
	}
	if (c->n > i + 1)
		lx->file = file_name(lx, c->w[i + 1].text);
	/* The newline that ends this line adds one. */
	lx->line = (uint32_t)c->w[i].num - 1;
}

static void
do_ident(struct control *c, unsigned i)
{
	(void)c;
	(void)i;
}

/* from: where the directive may stand: behind '#', behind "#pragma", or only behind "#pragma D". */
static const struct {
	const char *name;
	void (*fn)(struct control *c, unsigned i);
	unsigned from;
} directives[] = {
    {"attributes", do_attributes, 2},
    {"binding", do_binding, 2},
    {"depends_on", do_depends_on, 2},
    {"error", do_error, 0},
    {"ident", do_ident, 0},
    {"line", do_line, 0},
    {"option", do_option, 2},
};

static bool
is_word(const struct control *c, unsigned i, const char *text)
{
	return i < c->n && c->w[i].kind == W_NAME && strcmp(c->w[i].text, text) == 0;
}

static void
dispatch(struct control *c)
{
	struct cc *cc = c->lx->cc;
	unsigned i = 0, level = 0;
	if (is_word(c, 0, "pragma"))
		level = ++i;
	if (level && is_word(c, 1, "D"))
		level = ++i;
	if (i == c->n && level < 2)
		return;
	if (i == c->n)
		cc_error(
		    cc, c->pos, "D_PRAGMA_MALFORM", "#pragma D needs a directive: option, attributes, depends_on ...");
	if (level == 0 && c->w[i].kind == W_NUM) {
		do_line(c, i);
		return;
	}
	for (size_t k = 0; k < sizeof directives / sizeof directives[0]; k++) {
		if (is_word(c, i, directives[k].name) && directives[k].from <= level) {
			directives[k].fn(c, i + 1);
			return;
		}
	}
	static const char *const names[] = {"attributes", "binding", "depends_on", "error", "ident", "line", "option"};
	const char *near = near_miss(c->w[i].text, names, sizeof names / sizeof names[0]);
	const char *hint = near ? ar_printf(cc->ar, "did you mean '%s'?", near) : NULL;
	if (level == 2)
		cc_error_hint(cc, c->pos, "D_PRAGMA_INVAL", hint, "invalid D pragma: %s", c->w[i].text);
	if (level == 0)
		cc_error_hint(cc, c->pos, "D_PRAGCTL_INVAL",
		    "#include, #define and #if need the preprocessor: run with -C", "invalid control directive: #%s",
		    c->w[i].text);
	/* A pragma for another compiler is ignored. */
}

void
pragma_line(struct lexer *lx, uint32_t at, uint32_t end)
{
	struct control c = {.lx = lx, .pos = lex_pos(lx, at - 1, end - at + 1)};
	read_words(&c, at, end);
	dispatch(&c);
}

void
pragma_finish(struct lexer *lx)
{
	struct lang *l = lx->cc->lang;
	for (struct pending *p = lx->pending; p; p = p->next) {
		struct dvar *v = sm_gets(&l->globals, p->name);
		if (v)
			v->attrs = p->attrs ? p->attrs : v->attrs;
		else if (!sm_gets(&l->inlines, p->name) && !sm_gets(&l->aggs, p->name) && !is_builtin(p->name))
			cc_error(lx->cc, p->pos, "D_PRAGMA_UNUSED", "unused #pragma %s for identifier %s",
			    p->attrs ? "attributes" : "binding", p->name);
	}
}
