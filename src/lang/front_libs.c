/*
 * D libraries: the built-in one, then *.d of the folders that options libdir and syslibdir name. A library may say
 * "#pragma D depends_on library x.d": then x.d of the same folder is compiled first. A library that depends on a
 * missing provider or module is left out, and so are those that depend on it.
 */
#include "lang/check_priv.h"
#include "lang/front.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct lib {
	const char *dir, *name, *path;
	const char *text;
	size_t len;
	VEC(const char *) deps; /* names in the same folder */
	enum { LIB_NEW, LIB_BUSY, LIB_LOADED, LIB_SKIPPED } state;
};

struct libs {
	struct libdeps deps; /* must be first: the pragma gets a pointer to it */
	struct cc *cc;
	VEC(struct lib *) all;
	struct lib *now;     /* being compiled */
	struct strmap paths; /* path → struct lib */
};

static struct lib *
find_lib(const struct libs *ls, const char *dir, const char *name)
{
	return sm_gets(&ls->paths, ar_printf(ls->cc->ar, "%s/%s", dir, name));
}

static bool
is_loaded(const struct libdeps *d, const char *name)
{
	const struct libs *ls = (const struct libs *)(const void *)d;
	struct lib *l = find_lib(ls, ls->now->dir, name);
	return l && l->state == LIB_LOADED;
}

/* Reads the whole file into cc->ar. Returns false with errno if it cannot. */
static bool
read_lib(struct cc *cc, struct lib *l)
{
	int fd = open(l->path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	if (fd < 0)
		return false;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || (uint64_t)st.st_size >= UINT32_MAX) {
		close(fd);
		errno = EINVAL;
		return false;
	}
	/* The arena jumps out when memory is short. So the file is read into the heap and closed first. */
	size_t size = (size_t)st.st_size, n = 0;
	char *buf = malloc(size + 1);
	while (buf && n < size) {
		ssize_t r = read(fd, buf + n, size - n);
		if (r == 0 || (r < 0 && errno != EINTR))
			break;
		n += r > 0 ? (size_t)r : 0;
	}
	close(fd);
	if (!buf)
		longjmp(*cc->fail, 1);
	struct arena *ar = cc->ar;
	jmp_buf *oom = ar->oom;
	ar->oom = NULL;
	l->text = ar_strndup(ar, buf, n);
	ar->oom = oom;
	free(buf);
	if (!l->text)
		longjmp(*cc->fail, 1);
	l->len = n;
	return true;
}

/* Returns whether the words at s are `words`, with blanks between them, and moves *s behind them. */
static bool
skip_words(const char **s, const char *words)
{
	const char *p = *s;
	for (const char *w = words; *w;) {
		size_t n = strcspn(w, " ");
		p += strspn(p, " \t");
		if (strncmp(p, w, n) != 0 || (p[n] != ' ' && p[n] != '\t'))
			return false;
		p += n;
		w += n + (w[n] == ' ');
	}
	*s = p + strspn(p, " \t");
	return true;
}

static void
find_deps(struct cc *cc, struct lib *l)
{
	const char *end = l->text + l->len;
	for (const char *s = l->text; s && s < end; s = memchr(s, '\n', (size_t)(end - s)), s += s ? 1 : 0) {
		const char *p = s + strspn(s, " \t");
		if (*p++ != '#' || !skip_words(&p, "pragma D depends_on library"))
			continue;
		VEC_PUSH(cc->ar, &l->deps, ar_strndup(cc->ar, p, strcspn(p, " \t\r\n")));
	}
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the names of the *.d files of a folder, sorted. A missing folder has none. */
static char **
list_dir(struct cc *cc, const char *dir, unsigned *n)
{
	VEC(char *) names = {0};
	DIR *d = opendir(dir);
	struct arena *ar = cc->ar;
	jmp_buf *oom = ar->oom;
	bool failed = false;
	/* Nothing may jump while the folder is open. */
	ar->oom = NULL;
	for (struct dirent *e; d && !failed && (e = readdir(d));) {
		size_t len = strlen(e->d_name);
		if (len < 3 || e->d_name[0] == '.' || strcmp(e->d_name + len - 2, ".d") != 0)
			continue;
		if (names.n == names.cap) {
			unsigned cap = names.cap ? names.cap * 2 : 16;
			char **grown = ar_grow(ar, names.at, names.cap * sizeof *names.at, cap * sizeof *names.at);
			failed = !grown;
			if (failed)
				break;
			names.at = grown;
			names.cap = cap;
		}
		char *copy = ar_strdup(ar, e->d_name);
		failed = !copy;
		if (!failed)
			names.at[names.n++] = copy;
	}
	ar->oom = oom;
	if (d)
		closedir(d);
	if (failed)
		longjmp(*cc->fail, 1);
	if (names.n)
		qsort(names.at, names.n, sizeof *names.at, by_name);
	*n = names.n;
	return names.at;
}

static void
add_dir(struct libs *ls, const char *dir)
{
	struct cc *cc = ls->cc;
	unsigned n;
	char **names = list_dir(cc, dir, &n);
	for (unsigned i = 0; i < n; i++) {
		struct lib *l = AR_NEW(cc->ar, struct lib);
		l->dir = dir;
		l->name = names[i];
		l->path = ar_printf(cc->ar, "%s/%s", dir, names[i]);
		if (sm_gets(&ls->paths, l->path))
			continue;
		if (!read_lib(cc, l))
			cc_error(cc, (struct pos){0}, "D_UNKNOWN", "failed to read library %s: %s", l->path,
			    strerror(errno));
		find_deps(cc, l);
		sm_puts(&ls->paths, l->path, l);
		VEC_PUSH(cc->ar, &ls->all, l);
	}
}

/* Compiles one library. Returns false if something that it depends on is missing; nothing of it is left then. */
static bool
compile_lib(struct libs *ls, struct lib *l)
{
	struct lang *lang = ls->cc->lang;
	struct lang_mark m = lang_mark(lang);
	struct cc sub = *ls->cc;
	jmp_buf here;
	sub.file = ar_strdup(&lang->ar, l->path);
	sub.text = l->text;
	sub.len = l->len;
	sub.is_lib = true;
	sub.argc = 0;
	sub.fail = &here;
	ls->now = l;
	if (setjmp(here) == 0) {
		front_text(&sub, &ls->deps, NULL, NULL);
		return true;
	}
	struct cc *cc = ls->cc;
	if (!cc->diag->tag || strcmp(cc->diag->tag, "D_PRAGMA_DEPEND") != 0)
		longjmp(*cc->fail, 1);
	lang_undo(lang, m);
	diag_free(cc->diag);
	return false;
}

static void
load(struct libs *ls, struct lib *l, unsigned depth)
{
	struct cc *cc = ls->cc;
	enum { DEEPEST = 1000 };
	if (l->state == LIB_BUSY || depth > DEEPEST)
		cc_error(cc, (struct pos){0}, "D_PRAGMA_DEPEND",
		    "libraries depend on each other in a circle: %s is one of them", l->path);
	if (l->state != LIB_NEW)
		return;
	l->state = LIB_BUSY;
	for (unsigned i = 0; i < l->deps.n; i++) {
		struct lib *need = find_lib(ls, l->dir, l->deps.at[i]);
		if (!need)
			cc_error(cc, (struct pos){0}, "D_PRAGMA_DEPEND",
			    "library %s requires library %s, which is not in its folder", l->path, l->deps.at[i]);
		load(ls, need, depth + 1);
	}
	l->state = compile_lib(ls, l) ? LIB_LOADED : LIB_SKIPPED;
}

static void
compile_builtin(struct cc *cc, const char *text)
{
	struct cc sub = *cc;
	sub.file = NULL;
	sub.text = text;
	sub.len = strlen(text);
	sub.is_lib = true;
	sub.is_file = false;
	sub.argc = 0;
	sub.probe = NULL;
	sub.pdesc = NULL;
	sub.scope = NULL;
	sub.nexpanded = 0;
	sub.lenient = text != lang_builtin_d;
	front_text(&sub, NULL, NULL, NULL);
}

bool
front_kernel(struct cc *cc)
{
	struct lang *l = cc->lang;
	if (l->kernel_loaded || !types_kernel(l->types))
		return false;
	l->kernel_loaded = true;
	compile_builtin(cc, lang_kernel_d);
	return true;
}

void
front_libs(struct cc *cc)
{
	struct libs ls = {.deps = {is_loaded}, .cc = cc};
	compile_builtin(cc, lang_builtin_d);
	if (cc->opts->num[OPT_NOLIBS])
		return;
	sm_init(&ls.paths, cc->ar);
	for (const char *s = cc->opts->str[OPT_LIBDIR]; s && *s;) {
		size_t n = strcspn(s, "\n");
		add_dir(&ls, ar_strndup(cc->ar, s, n));
		s += n + (s[n] == '\n');
	}
	const char *sys = cc->opts->str[OPT_SYSLIBDIR];
	if (sys && *sys)
		add_dir(&ls, ar_strdup(cc->ar, sys));
	for (unsigned i = 0; i < ls.all.n; i++)
		load(&ls, ls.all.at[i], 0);
}
