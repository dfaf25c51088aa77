/*
 * Memory runs out at every allocation in turn. A rich program is compiled, saved, loaded, run and printed again and
 * again; in round k, allocation k fails. Each time either some call says so, or the output is right anyway (if
 * something optional failed). There is never a crash, and (under ASan) no leak.
 */
#include "erltrace.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_ulong calls, fail_at; /* fail_at is 0 for never */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t m);
void *__real_realloc(void *p, size_t n);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t m);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t n);

static bool
fails(void)
{
	return atomic_fetch_add(&calls, 1) + 1 == atomic_load(&fail_at);
}

void *
__wrap_malloc(size_t n)
{
	return fails() ? NULL : __real_malloc(n);
}

void *
__wrap_calloc(size_t n, size_t m)
{
	return fails() ? NULL : __real_calloc(n, m);
}

void *
__wrap_realloc(void *p, size_t n)
{
	return fails() ? NULL : __real_realloc(p, n);
}

char *
__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

char *
__wrap_strndup(const char *s, size_t n)
{
	return fails() ? NULL : __real_strndup(s, n);
}

static const char rich[] =
    "#pragma D option strsize=64\n"
    "typedef struct point { int x, y; char name[8]; } point_t;\n"
    "enum colour { RED, GREEN = 5 };\n"
    "inline int TWICE = 2; inline int twice[int a] = a * 2;\n"
    "point_t here; int table[string, int]; self int mine; this string local;\n"
    "translator struct point < int *p > { x = 1; y = 2; };\n"
    "BEGIN { here.x = 3; here.y = GREEN; table[\"a\", 1] = here.x + here.y; self->mine = 7; this->local = \"text\"; }\n"
    "BEGIN /table[\"a\", 1] == 8/ {\n"
    "	printf(\"%d %s %x\\n\", table[\"a\", 1], strjoin(this->local, lltostr(self->mine)), TWICE);\n"
    "	@c = count(); @q[\"key\", 1] = quantize(here.y); @l[1] = lquantize(5, 0, 10, 2); @s[\"x\"] = stddev(4);\n"
    "	trace(substr(\"hello\", 1, 2)); }\n"
    "BEGIN { if (self->mine > 3) { printf(\"more\\n\"); } else { printf(\"less\\n\"); } }\n"
    "BEGIN { print(here); }\n"
    "BEGIN { this->s = speculation(); speculate(this->s); printf(\"speculated\\n\"); }\n"
    "BEGIN { commit(this->s); }\n"
    "BEGIN { this->z = 0; trace(1 / this->z); }\n"
    "ERROR { printf(\"fault %d\\n\", (int)arg4); }\n"
    "tick-1h { @never = sum(1); }\n"
    "END { printa(@c); printa(\"%s %d %@d\\n\", @q); exit(0); }\n";

static const char wrong[] = "BEGIN { x = 1; y = nosuchfunction(x); }";

struct run {
	char *text;
	size_t len;
	bool failed;
};

static enum et_handle
on_error(const struct et_errdata *e, void *arg)
{
	(void)e;
	(void)arg;
	return ET_HANDLE_OK;
}

/* Traces with an open handle. Returns false if some call failed. */
static bool
trace(struct et *h, struct et_prog *p, FILE *out)
{
	et_handle_err(h, on_error, NULL);
	if (et_setopt(h, "quiet", NULL) != 0 || et_program_exec(h, p, NULL) != 0 || et_go(h) != 0)
		return false;
	if (et_stop(h) != 0)
		return false;
	enum et_workstatus s;
	do
		s = et_work(h, out, NULL, NULL, NULL);
	while (s == ET_WORKSTATUS_OKAY);
	return s == ET_WORKSTATUS_DONE && et_aggregate_print(h, out, NULL, NULL) == 0;
}

static bool
small_memory(struct et *h)
{
	static const char *const opts[][2] = {
	    {"bufsize", "64k"}, {"aggsize", "64k"}, {"dynvarsize", "64k"}, {"specsize", "4k"}};
	for (unsigned i = 0; i < 4; i++)
		if (et_setopt(h, opts[i][0], opts[i][1]) != 0)
			return false;
	return true;
}

static bool
scenario(FILE *out)
{
	int err;
	void *bytes = NULL;
	size_t len = 0;
	bool ok = false;
	struct et *h = et_open(ET_VERSION, &err);
	if (!h)
		return false;
	struct et_prog *p = NULL;
	if (small_memory(h)) {
		/* A program that does not compile must leave no trace. */
		if (et_program_strcompile(h, wrong, ET_PROBESPEC_NAME, 0, 0, NULL))
			abort();
		if (et_errno(h) == ET_ECOMPILE)
			p = et_program_strcompile(h, rich, ET_PROBESPEC_NAME, 0, 0, NULL);
	}
	char *dis = p ? et_disasm(h, p) : NULL;
	ok = p && dis && et_program_save(h, &bytes, &len) == 0 && trace(h, p, out);
	free(dis);
	et_close(h);
	if (!ok) {
		free(bytes);
		return false;
	}
	h = et_open(ET_VERSION, &err);
	p = h && small_memory(h) ? et_program_load(h, bytes, len, "object") : NULL;
	ok = p && et_setopt(h, "json", NULL) == 0 && trace(h, p, out);
	et_close(h);
	free(bytes);
	return ok;
}

/* The time stamps of JSON lines differ from run to run. */
static void
blank_digits(char *s)
{
	for (; *s; s++)
		if (*s >= '0' && *s <= '9')
			*s = '#';
}

static struct run
run(unsigned long at)
{
	struct run r = {0};
	char *buf;
	size_t len;
	FILE *out = open_memstream(&buf, &len);
	if (!out)
		abort();
	atomic_store(&calls, 0);
	atomic_store(&fail_at, at);
	r.failed = !scenario(out);
	atomic_store(&fail_at, 0);
	fclose(out);
	r.text = buf;
	r.len = len;
	return r;
}

int
main(void)
{
	struct run good = run(0);
	if (good.failed) {
		fprintf(stderr, "the program fails with all memory there is; it printed:\n%s\n", good.text);
		return 1;
	}
	unsigned long total = atomic_load(&calls), said = 0;
	int status = 0;
	blank_digits(good.text);
	for (unsigned long at = 1; at <= total; at++) {
		struct run r = run(at);
		blank_digits(r.text);
		size_t n = strcspn(r.text, "{"), m = strcspn(good.text, "{");
		if (r.failed)
			said++;
		else if (n != m || memcmp(r.text, good.text, n) != 0) {
			fprintf(stderr, "allocation %lu of %lu failed, no call said so, and the output is wrong:\n%s\n",
			    at, total, r.text);
			status = 1;
		}
		free(r.text);
	}
	free(good.text);
	fprintf(
	    stderr, "%lu allocations failed in turn: %lu said so, %lu were not needed\n", total, said, total - said);
	return status;
}
