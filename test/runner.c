/*
 * The test runner: finds tests by name, runs them in parallel, each in its own scratch folder, and compares. README.md
 * beside it describes the conventions.
 *
 *	run [-v] [-j jobs] [-t seconds] [-e erltrace] [-E engine] [-b builddir] [-r results] [-l label] path …
 *
 * A path is a folder (searched for tst.*, err.*, drp.*), a test file, or a program of unit tests. -r appends "label
 * passed failed skipped" to a file.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORDS_MAX = 64, HEAD = 4096, SKIP_STATUS = 67, SANITIZER_STATUS = 99, TEXTS_MAX = 16 };

struct text {
	char *at;
	size_t len;
};

enum kind { K_TST, K_ERR, K_DRP, K_SH, K_UNIT };

struct test {
	char path[PATH_MAX]; /* absolute */
	const char *name;    /* within path, for people */
	enum kind kind;
	char tag[64]; /* of err.D_TAG and drp.TAG, or "" */
	char *opts[WORDS_MAX], *args[WORDS_MAX], *env[TEXTS_MAX], *in_stderr[TEXTS_MAX], *in_stdout[TEXTS_MAX];
	unsigned nopts, nargs, nenv, nin_stderr, nin_stdout;
	int exit; /* wanted */
	bool has_exit, sorted, nocpu, alone, noout, nostderr, gone;
	double timeout;
	char *skip, *engine;
	char scratch[PATH_MAX];
	/* while it runs */
	pid_t pid;
	double started, left; /* left: seconds that it may still take */
	bool timed_out;
};

static struct {
	const char *erltrace, *build, *results, *label, *engine;
	char top[PATH_MAX];
	unsigned jobs;
	double timeout; /* seconds, for tests that do not say */
	bool verbose, slow;
	unsigned passed, failed, skipped;
	struct test *tests;
	size_t ntests, nstarted, cap;
} R = {.erltrace = "build/erltrace", .build = "build", .label = "tests", .timeout = 10};

static void
die(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fprintf(stderr, "run: ");
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(2);
}

static double
now(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static bool
slurp(const char *path, struct text *t)
{
	*t = (struct text){0};
	FILE *f = fopen(path, "r");
	if (!f)
		return false;
	size_t cap = 65536;
	t->at = malloc(cap);
	for (size_t n; (n = fread(t->at + t->len, 1, cap - t->len - 1, f)) > 0;) {
		t->len += n;
		if (cap - t->len < 2)
			t->at = realloc(t->at, cap *= 2);
	}
	fclose(f);
	t->at[t->len] = '\0';
	return true;
}

/* Splits as sh does, with '…', "…" and \; replaces $srcdir and $scratch. */
static unsigned
split(const struct test *t, const char *s, char **words)
{
	char dir[PATH_MAX], word[PATH_MAX * 2];
	snprintf(dir, sizeof dir, "%s", t->path);
	*strrchr(dir, '/') = '\0';
	unsigned n = 0;
	for (;;) {
		while (isspace((unsigned char)*s))
			s++;
		if (!*s || n == WORDS_MAX)
			return n;
		size_t len = 0;
		for (char quote = 0; *s && (quote || !isspace((unsigned char)*s)) && len < PATH_MAX; s++) {
			const char *put = NULL;
			if (*s == quote)
				quote = 0;
			else if (!quote && (*s == '\'' || *s == '"'))
				quote = *s;
			else if (quote != '\'' && strncmp(s, "$srcdir", 7) == 0)
				put = dir, s += 6;
			else if (quote != '\'' && strncmp(s, "$scratch", 8) == 0)
				put = t->scratch, s += 7;
			else {
				if (*s == '\\' && quote != '\'' && s[1])
					s++;
				word[len++] = *s;
			}
			if (put) {
				size_t l = strlen(put);
				memcpy(word + len, put, l + 1);
				len += l;
			}
		}
		word[len] = '\0';
		words[n++] = strdup(word);
	}
}

/* Returns the value of one directive: up to the end of the line or of the comment, without spaces around it. */
static char *
directive_value(const char *s)
{
	size_t len = strcspn(s, "\n");
	for (size_t i = 0; i + 1 < len; i++)
		if (s[i] == '*' && s[i + 1] == '/')
			len = i;
	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	while (len && isspace((unsigned char)*s))
		s++, len--;
	return strndup(s, len);
}

static bool
directive(struct test *t, const char *name, size_t len, char *value)
{
#define IS(what) (len == sizeof what - 1 && memcmp(name, what, len) == 0)
	if (IS("opts"))
		t->nopts = split(t, value, t->opts);
	else if (IS("args"))
		t->nargs = split(t, value, t->args);
	else if (IS("stderr") && t->nin_stderr < TEXTS_MAX)
		t->in_stderr[t->nin_stderr++] = value;
	else if (IS("stdout") && t->nin_stdout < TEXTS_MAX)
		t->in_stdout[t->nin_stdout++] = value;
	else if (IS("env") && t->nenv < TEXTS_MAX)
		t->env[t->nenv++] = value;
	else if (IS("exit"))
		t->exit = atoi(value), t->has_exit = true;
	else if (IS("timeout"))
		t->timeout = atof(value);
	else if (IS("skip"))
		t->skip = value;
	else if (IS("sort"))
		t->sorted = true;
	else if (IS("nocpu"))
		t->nocpu = true;
	else if (IS("noout"))
		t->noout = true;
	else if (IS("nostderr"))
		t->nostderr = true;
	else if (IS("alone"))
		t->alone = true;
	else if (IS("engine")) {
		/* the words after it say why it does not run on the others */
		size_t word = strcspn(value, " ");
		if (!value[word])
			die("%s: @@engine: %s must say why not another", t->path, value);
		value[word] = '\0';
		t->engine = value;
	} else
		return false;
	return true;
#undef IS
}

static void
read_directives(struct test *t)
{
	struct text all;
	if (!slurp(t->path, &all))
		die("cannot read %s: %s", t->path, strerror(errno));
	if (all.len > HEAD)
		all.at[HEAD] = '\0';
	for (char *p = all.at; (p = strstr(p, "@@")); p++) {
		const char *name = p + 2;
		size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz");
		if (!len || !directive(t, name, len, directive_value(name + len + (name[len] == ':'))))
			die("%s: unknown directive @@%.*s", t->path, (int)(len ? len : 10), name);
	}
	free(all.at);
}

static void
add_test(const char *path)
{
	const char *base = strrchr(path, '/') + 1;
	size_t len = strlen(base);
	struct test t = {.timeout = R.timeout};
	if (len > 3 && strcmp(base + len - 3, ".sh") == 0)
		t.kind = K_SH;
	else if (len < 3 || strcmp(base + len - 2, ".d") != 0)
		t.kind = K_UNIT;
	else if (strncmp(base, "err.", 4) == 0)
		t.kind = K_ERR, t.exit = 1;
	else if (strncmp(base, "drp.", 4) == 0)
		t.kind = K_DRP;
	if ((t.kind == K_ERR && strncmp(base + 4, "D_", 2) == 0) || t.kind == K_DRP)
		snprintf(t.tag, sizeof t.tag, "[%.*s]", (int)strcspn(base + 4, "."), base + 4);
	snprintf(t.path, sizeof t.path, "%s", path);
	if (R.ntests == R.cap) {
		R.cap = R.cap ? R.cap * 2 : 256;
		R.tests = realloc(R.tests, R.cap * sizeof *R.tests);
	}
	R.tests[R.ntests++] = t;
}

static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool
is_test_name(const char *s)
{
	size_t len = strlen(s);
	bool d = len > 2 && strcmp(s + len - 2, ".d") == 0, sh = len > 3 && strcmp(s + len - 3, ".sh") == 0;
	return (strncmp(s, "tst.", 4) == 0 && (d || sh)) ||
	       ((strncmp(s, "err.", 4) == 0 || strncmp(s, "drp.", 4) == 0) && d);
}

static void
find_tests(const char *path)
{
	char full[PATH_MAX];
	struct stat st;
	if (!realpath(path, full) || stat(full, &st) != 0)
		die("%s: %s", path, strerror(errno));
	if (!S_ISDIR(st.st_mode)) {
		add_test(full);
		return;
	}
	struct dirent **e;
	int n = scandir(full, &e, NULL, by_name);
	for (int i = 0; i < n; i++) {
		char sub[PATH_MAX + 256];
		snprintf(sub, sizeof sub, "%s/%s", full, e[i]->d_name);
		if (e[i]->d_name[0] != '.' && stat(sub, &st) == 0 &&
		    (S_ISDIR(st.st_mode) || is_test_name(e[i]->d_name)))
			find_tests(sub);
		free(e[i]);
	}
	if (n >= 0)
		free(e);
}

static void
in_scratch(const struct test *t, const char *name, char *path, size_t len)
{
	snprintf(path, len, "%s.%s", t->scratch, name);
}

static void
become_test(const struct test *t)
{
	const char *argv[WORDS_MAX * 2 + 8];
	unsigned n = 0;
	char path[PATH_MAX + 16], engine_option[64];
	snprintf(engine_option, sizeof engine_option, "-xengine=%s", t->engine ? t->engine : "");
	setpgid(0, 0);
	int in = open("/dev/null", O_RDONLY);
	in_scratch(t, "stdout", path, sizeof path);
	int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
	in_scratch(t, "stderr", path, sizeof path);
	int err = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
	if (in < 0 || out < 0 || err < 0 || chdir(t->scratch) != 0)
		_exit(126);
	dup2(in, 0);
	dup2(out, 1);
	dup2(err, 2);
	char srcdir[PATH_MAX];
	snprintf(srcdir, sizeof srcdir, "%s", t->path);
	*strrchr(srcdir, '/') = '\0';
	setenv("ERLTRACE", R.erltrace, 1);
	setenv("BUILD", R.build, 1);
	setenv("srcdir", srcdir, 1);
	setenv("LC_ALL", "C", 1);
	setenv("TZ", "UTC", 1);
	for (unsigned i = 0; i < t->nenv; i++)
		putenv(t->env[i]);
	switch (t->kind) {
	case K_UNIT:
		if (chdir(R.top) != 0)
			_exit(126);
		argv[n++] = t->path;
		break;
	case K_SH:
		argv[n++] = "/bin/sh";
		argv[n++] = t->path;
		break;
	default:
		argv[n++] = R.erltrace;
		if (t->engine)
			argv[n++] = engine_option;
		if (t->kind == K_ERR)
			argv[n++] = "-xerrtags";
		if (t->kind == K_DRP)
			argv[n++] = "-xdroptags";
		for (unsigned i = 0; i < t->nopts; i++)
			argv[n++] = t->opts[i];
		argv[n++] = "-s";
		argv[n++] = t->path;
		for (unsigned i = 0; i < t->nargs; i++)
			argv[n++] = t->args[i];
	}
	argv[n] = NULL;
	execv(argv[0], (char *const *)(uintptr_t)argv);
	fprintf(stderr, "cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static void
start(struct test *t)
{
	mkdir(t->scratch, 0755);
	fflush(NULL);
	t->started = now();
	/* Programs have many cases. test/kernel/failing needs 55 s of processor time, which took 160 s at a load of 24.
	 */
	t->left = t->timeout * (R.slow ? 6 : 1) + (t->kind == K_UNIT ? 590 : 0);
	t->pid = fork();
	if (t->pid < 0)
		die("fork: %s", strerror(errno));
	if (t->pid == 0) {
		sigset_t none;
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		/* Under nohup, or in the background of a script, these are ignored; but tests send them. */
		signal(SIGHUP, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		become_test(t);
	}
	setpgid(t->pid, t->pid);
}

static int
line_cmp(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
sort_lines(struct text *t)
{
	size_t n = 0, cap = 16;
	char **lines = malloc(cap * sizeof *lines);
	for (char *p = t->at; *p;) {
		char *nl = strchr(p, '\n');
		if (n == cap)
			lines = realloc(lines, (cap *= 2) * sizeof *lines);
		lines[n++] = p;
		if (!nl)
			break;
		*nl = '\0';
		p = nl + 1;
	}
	qsort(lines, n, sizeof *lines, line_cmp);
	char *out = malloc(t->len + 2), *o = out;
	for (size_t i = 0; i < n; i++)
		o += sprintf(o, "%s\n", lines[i]);
	*o = '\0';
	free(lines);
	free(t->at);
	t->at = out;
	t->len = (size_t)(o - out);
}

/* "  1  12345 …": blanks the CPU of lines in columns. */
static void
blank_cpu(struct text *t)
{
	for (char *p = t->at; *p; p++) {
		if (strspn(p, " 0123456789") >= 10 && isdigit((unsigned char)p[2]) && p[3] == ' ' &&
		    isdigit((unsigned char)p[9]))
			memset(p, ' ', 3);
		p = strchr(p, '\n');
		if (!p)
			break;
	}
}

static void
save(const char *path, const struct text *t)
{
	FILE *f = fopen(path, "w");
	if (f) {
		fwrite(t->at, 1, t->len, f);
		fclose(f);
	}
}

/* Prints why a test failed, line by line on standard output. Nothing is printed as long as it has not failed. */
struct verdict {
	const struct test *t;
	bool bad;
};

static void
fail(struct verdict *v, const char *fmt, ...)
{
	if (!v->bad)
		printf("FAIL %s\n", v->t->name);
	v->bad = true;
	va_list ap;
	va_start(ap, fmt);
	printf("     ");
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
}

static void
compare_output(struct verdict *v, struct text *out)
{
	const struct test *t = v->t;
	char path[PATH_MAX + 16], a[PATH_MAX + 16], b[PATH_MAX + 16], cmd[PATH_MAX * 3];
	struct text want;
	snprintf(path, sizeof path, "%s.out", t->path);
	if (!slurp(path, &want)) {
		if (t->kind == K_TST && !t->has_exit && !t->nin_stderr && !t->nin_stdout && !t->noout)
			fail(v, "asserts nothing: an .out file, @@exit, @@stderr, @@stdout or @@noout is needed");
		return;
	}
	struct text got = {malloc(out->len + 1), out->len};
	memcpy(got.at, out->at, out->len + 1);
	if (t->sorted) {
		sort_lines(&want);
		sort_lines(&got);
	}
	if (t->nocpu) {
		blank_cpu(&want);
		blank_cpu(&got);
	}
	if (want.len != got.len || memcmp(want.at, got.at, got.len) != 0) {
		fail(v, "the output is not the expected one:");
		in_scratch(t, "want", a, sizeof a);
		in_scratch(t, "got", b, sizeof b);
		save(a, &want);
		save(b, &got);
		snprintf(cmd, sizeof cmd, "diff -u --label expected --label actual '%s' '%s' | head -n 60", a, b);
		fflush(stdout);
		if (system(cmd) < 0)
			printf("     cannot run diff\n");
	}
	free(want.at);
	free(got.at);
}

static void
check_texts(struct verdict *v, const struct text *out, const struct text *err)
{
	const struct test *t = v->t;
	for (unsigned i = 0; i < t->nin_stderr; i++)
		if (!strstr(err->at, t->in_stderr[i]))
			fail(v, "standard error does not contain: %s", t->in_stderr[i]);
	for (unsigned i = 0; i < t->nin_stdout; i++)
		if (!strstr(out->at, t->in_stdout[i]))
			fail(v, "standard output does not contain: %s", t->in_stdout[i]);
	if (t->noout && out->len)
		fail(v, "standard output is not empty");
	if (t->nostderr && err->len)
		fail(v, "standard error is not empty");
	if (t->tag[0] && !strstr(err->at, t->tag))
		fail(v, "standard error does not contain the tag %s", t->tag);
	char path[PATH_MAX + 16];
	struct text frag;
	snprintf(path, sizeof path, "%s.err", t->path);
	bool has_frag = t->kind == K_ERR && slurp(path, &frag);
	if (t->kind == K_ERR && !t->tag[0] && !t->nin_stderr && !has_frag)
		fail(v, "asserts nothing but some error: a tag in its name, an .err file or @@stderr is needed");
	if (has_frag) {
		while (frag.len && frag.at[frag.len - 1] == '\n')
			frag.at[--frag.len] = '\0';
		if (!frag.len)
			fail(v, "%s is empty", path);
		if (!strstr(err->at, frag.at))
			fail(v, "standard error does not contain: %s", frag.at);
		free(frag.at);
	}
	if (strstr(err->at, "Sanitizer") || strstr(err->at, "runtime error:"))
		fail(v, "a sanitizer reports an error");
}

/* cmocka's own lines: how many tests a program had, and how they ended. */
static void
count_unit(struct verdict *v, const struct text *err, const struct text *out, bool ok)
{
	unsigned runs = 0, good = 0, skips = 0;
	const struct text *both[2] = {err, out};
	for (unsigned i = 0; i < 2; i++)
		for (const char *p = both[i]->at; (p = strchr(p, '[')); p++) {
			runs += strncmp(p, "[ RUN      ] ", 13) == 0;
			good += strncmp(p, "[       OK ] ", 13) == 0;
			skips += strncmp(p, "[  SKIPPED ] ", 13) == 0 && !strstr(p, "test(s)");
		}
	if (!runs) {
		R.passed += ok;
		R.failed += !ok;
		return;
	}
	unsigned bad = runs - good - skips;
	if (!ok && !bad)
		bad = 1;
	if (bad && !v->bad)
		fail(v, "%u of %u tests failed", bad, runs);
	R.passed += good;
	R.failed += bad;
	R.skipped += skips;
}

static void
print_tail(const char *what, const struct text *t)
{
	enum { MOST = 3000 };
	if (!t->len)
		return;
	printf("     %s:\n", what);
	const char *s = t->len > MOST ? t->at + t->len - MOST : t->at;
	while (*s) {
		size_t n = strcspn(s, "\n");
		printf("       | %.*s\n", (int)n, s);
		s += n + (s[n] == '\n');
	}
}

static void
judge(struct test *t, int status)
{
	struct text out, err;
	char path[PATH_MAX + 16];
	kill(-t->pid, SIGKILL); /* kills what it left behind */
	in_scratch(t, "stdout", path, sizeof path);
	if (!slurp(path, &out))
		out.at = strdup("");
	in_scratch(t, "stderr", path, sizeof path);
	if (!slurp(path, &err))
		err.at = strdup("");
	struct verdict v = {t, false};
	bool skipped =
	    WIFEXITED(status) && WEXITSTATUS(status) == SKIP_STATUS && (t->kind == K_SH || t->kind == K_UNIT);
	if (skipped) {
		while (err.len && err.at[err.len - 1] == '\n')
			err.at[--err.len] = '\0';
		const char *why = strrchr(err.at, '\n');
		printf("SKIP %s: %s\n", t->name, why ? why + 1 : err.at);
		R.skipped++;
	} else {
		if (t->timed_out)
			fail(&v, "timed out after %.0f s", now() - t->started);
		else if (WIFSIGNALED(status))
			fail(&v, "killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
		else if (WEXITSTATUS(status) == SANITIZER_STATUS && t->exit != SANITIZER_STATUS)
			fail(&v, "a sanitizer reports an error");
		else if (WEXITSTATUS(status) != t->exit)
			fail(&v, "exit status is %d, expected %d", WEXITSTATUS(status), t->exit);
		if (t->kind != K_UNIT) {
			check_texts(&v, &out, &err);
			compare_output(&v, &out);
		}
		if (t->kind == K_UNIT)
			count_unit(&v, &err, &out, !v.bad);
		else if (v.bad)
			R.failed++;
		else
			R.passed++;
		if (v.bad) {
			if (t->kind == K_UNIT || t->kind == K_SH || t->nin_stdout)
				print_tail("standard output", &out);
			print_tail("standard error", &err);
		} else if (R.verbose)
			printf("ok   %s (%.2f s)\n", t->name, now() - t->started);
	}
	free(out.at);
	free(err.at);
	fflush(stdout);
}

/* Prints a line now and then, to show how far a long suite is. */
static void
show_progress(const struct test *t)
{
	enum { EVERY_S = 10, SAME_S = 60 };
	static double last;
	static const struct test *shown;
	static size_t nshown;
	double at = now();
	if (last == 0)
		last = at;
	if (at - last < (t == shown && R.nstarted == nshown ? SAME_S : EVERY_S))
		return;
	last = at;
	shown = t;
	nshown = R.nstarted;
	printf("     %s: %zu of %zu, now %s\n", R.label, R.nstarted, R.ntests, t->name);
	fflush(stdout);
}

/* How many times more wants to run than this run and the processors account for, at most 6: time limits are for tests
 * that hang, and where other programs crowd the machine a test that does not takes that much longer. */
static double
crowd(void)
{
	static double looked, times = 1;
	if (now() - looked < 1)
		return times;
	looked = now();
	double load, usual = (double)sysconf(_SC_NPROCESSORS_ONLN) * 2 + R.jobs;
	if (getloadavg(&load, 1) == 1)
		times = load <= usual ? 1 : load < 6 * usual ? load / usual : 6;
	return times;
}

/* Waits for one test to end, or for its time to run out. */
static void
reap(struct test **running, unsigned *nrunning)
{
	static double last;
	int status;
	show_progress(running[0]);
	pid_t pid = waitpid(-1, &status, WNOHANG);
	if (pid > 0) {
		for (unsigned i = 0; i < *nrunning; i++)
			if (running[i]->pid == pid) {
				struct test *t = running[i];
				running[i] = running[--*nrunning];
				judge(t, status);
				return;
			}
		return;
	}
	double at = now();
	for (unsigned i = 0; i < *nrunning; i++) {
		struct test *t = running[i];
		t->left -= (at - (last > t->started ? last : t->started)) / crowd();
		if (t->left < 0 && !t->timed_out) {
			t->timed_out = true;
			kill(-t->pid, SIGKILL);
		}
	}
	last = at;
	sigset_t chld;
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	struct timespec ts = {0, 100 * 1000 * 1000};
	sigtimedwait(&chld, NULL, &ts);
}

static void
run_all(bool alone)
{
	struct test *running[256];
	unsigned nrunning = 0, jobs = alone ? 1 : R.jobs;
	for (size_t i = 0; i < R.ntests; i++) {
		struct test *t = &R.tests[i];
		if (t->alone != alone || t->gone)
			continue;
		R.nstarted++;
		if (t->engine && R.engine && strcmp(t->engine, R.engine) != 0) {
			printf("SKIP %s: %s\n", t->name, t->engine + strlen(t->engine) + 1);
			R.skipped++;
			continue;
		}
		if (t->skip) {
			printf("SKIP %s: %s\n", t->name, t->skip);
			R.skipped++;
			continue;
		}
		while (nrunning >= jobs)
			reap(running, &nrunning);
		start(t);
		running[nrunning++] = t;
	}
	while (nrunning)
		reap(running, &nrunning);
}

/* -E: tries whether the engine runs here at all, and keeps its message if not. .sh tests get the command with the
 * option in it. */
static void
try_engine(const char *scratch)
{
	static char wrapper[PATH_MAX];
	char cmd[PATH_MAX * 3], path[PATH_MAX];
	struct text said;
	snprintf(wrapper, sizeof wrapper, "%s/erltrace", scratch);
	snprintf(path, sizeof path, "%s/said", scratch);
	FILE *f = fopen(wrapper, "w");
	if (!f)
		die("%s: %s", wrapper, strerror(errno));
	fprintf(f, "#!/bin/sh\nexec '%s' -xengine=%s \"$@\"\n", R.erltrace, R.engine);
	fclose(f);
	chmod(wrapper, 0755);
	R.erltrace = wrapper;
	snprintf(cmd, sizeof cmd, "'%s' -qn 'BEGIN { exit(0); }' >/dev/null 2>'%s'", wrapper, path);
	int status = system(cmd);
	if (status == 0)
		return;
	if (!slurp(path, &said))
		die("%s: %s", path, strerror(errno));
	printf("SKIP all: the %s engine does not run here: %s\n", R.engine, said.at);
	for (size_t i = 0; i < R.ntests; i++)
		R.tests[i].gone = true;
	R.skipped += (unsigned)R.ntests;
	free(said.at);
}

static void
usage(void)
{
	fprintf(stderr,
	    "usage: run [-v] [-j jobs] [-t seconds] [-e erltrace] [-E engine] [-b builddir] [-r results] [-l label] path …\n");
	exit(2);
}

int
main(int argc, char **argv)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	R.jobs = cpus < 1 ? 2 : cpus > 64 ? 128 : (unsigned)cpus * 2;
	for (int c; (c = getopt(argc, argv, "vj:t:e:E:b:r:l:")) != -1;)
		switch (c) {
		case 'v':
			R.verbose = true;
			break;
		case 'j':
			R.jobs = (unsigned)atoi(optarg);
			break;
		case 't':
			R.timeout = atof(optarg);
			break;
		case 'e':
			R.erltrace = optarg;
			break;
		case 'E':
			R.engine = optarg;
			break;
		case 'b':
			R.build = optarg;
			break;
		case 'r':
			R.results = optarg;
			break;
		case 'l':
			R.label = optarg;
			break;
		default:
			usage();
		}
	if (optind == argc || R.jobs < 1 || R.jobs > 200 || R.timeout <= 0)
		usage();
	if (!getcwd(R.top, sizeof R.top))
		die("getcwd: %s", strerror(errno));
	char erltrace[PATH_MAX], build[PATH_MAX];
	R.erltrace = realpath(R.erltrace, erltrace) ? erltrace : R.erltrace;
	R.build = realpath(R.build, build) ? build : R.build;
	const char *san = getenv("SAN"), *tmp = getenv("TMPDIR");
	R.slow = (san && *san) || getenv("SLOW");
	/* A crash must not look like an ordinary error, which is 1. Running out of memory is not a crash. */
	setenv("ASAN_OPTIONS", "exitcode=99:detect_stack_use_after_return=1:allocator_may_return_null=1", 1);
	setenv("UBSAN_OPTIONS", "exitcode=99:print_stacktrace=1", 1);
	setenv("TSAN_OPTIONS", "exitcode=99:allocator_may_return_null=1", 1);
	setenv("LSAN_OPTIONS", "exitcode=99", 1);

	char scratch[PATH_MAX - 64];
	snprintf(scratch, sizeof scratch, "%s/erltrace-test.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(scratch))
		die("%s: %s", scratch, strerror(errno));
	for (int i = optind; i < argc; i++)
		find_tests(argv[i]);
	size_t top = strlen(R.top);
	for (size_t i = 0; i < R.ntests; i++) {
		struct test *t = &R.tests[i];
		t->name = strncmp(t->path, R.top, top) == 0 && t->path[top] == '/' ? t->path + top + 1 : t->path;
		snprintf(t->scratch, sizeof t->scratch, "%s/%zu", scratch, i);
		if (t->kind != K_UNIT)
			read_directives(t);
	}
	if (R.engine)
		try_engine(scratch);
	sigset_t chld;
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	double from = now();
	run_all(false);
	run_all(true);

	char cmd[PATH_MAX + 16];
	snprintf(cmd, sizeof cmd, "rm -rf '%s'", scratch);
	if (system(cmd) != 0)
		printf("cannot remove %s\n", scratch);
	printf("%s: %u passed, %u failed, %u skipped (%.1f s)\n", R.label, R.passed, R.failed, R.skipped, now() - from);
	if (R.results) {
		FILE *f = fopen(R.results, "a");
		if (!f)
			die("%s: %s", R.results, strerror(errno));
		fprintf(f, "%u %u %u %s\n", R.passed, R.failed, R.skipped, R.label);
		fclose(f);
	}
	return R.failed != 0;
}
