/*
 * The two engines check each other: the same D object, run on both, must give the same records, faults and
 * aggregations. There are fixed programs for each part of the language, and random expressions. Skipped without
 * permission to load BPF programs.
 */
#include "object/aggval.h"
#include "engine/kernel/kern.h"
#include "engine/kernel/kernel.h"
#include "erltrace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#undef stop /* cmocka 2 defines it; engines have one */

enum { SEEN = 1 << 18, KEYS = 256 };

struct seen {
	const struct dobj *o;
	struct engine *e;
	const struct engine_ops *ops;
	char text[SEEN];
	size_t len;
	struct {
		unsigned agg;
		size_t keylen;
		char key[1024];
		uint64_t words[256];
	} keys[KEYS];
	unsigned nkeys;
};

static void
say(struct seen *s, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	s->len += (size_t)vsnprintf(s->text + s->len, SEEN - s->len, fmt, ap);
	va_end(ap);
	assert_true(s->len < SEEN);
}

static void
see_record(void *arg, unsigned shard, const struct eng_rec *r)
{
	struct seen *s = arg;
	(void)shard;
	say(s, "epid %u", r->epid);
	if (r->fault >= 0) {
		say(s, " fault %d action %u pc %u value %llx\n", r->fault, r->fault_action, r->fault_pc,
		    (unsigned long long)r->fault_value);
		return;
	}
	const struct eng_epid *ep = s->ops->epid(s->e, r->epid);
	assert_non_null(ep);
	const struct dobj_group *g = &s->o->groups[ep->group];
	for (uint32_t i = 0; i < g->nfields; i++) {
		const struct dobj_field *f = &s->o->fields[g->field + i];
		if (f->kind == DK_STRING) {
			say(s, " \"%.*s\"", (int)f->size, r->data + f->offset);
			continue;
		}
		say(s, " ");
		for (uint32_t k = 0; k < f->size; k++)
			say(s, "%02x", (unsigned char)r->data[f->offset + k]);
	}
	say(s, "\n");
}

static void
see_value(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	struct seen *s = arg;
	const struct dobj_agg *a = &s->o->aggs[agg];
	unsigned i = 0;
	assert_true(keylen <= sizeof s->keys[0].key && aggval_words(a) <= 256);
	while (i < s->nkeys &&
	       (s->keys[i].agg != agg || s->keys[i].keylen != keylen || memcmp(s->keys[i].key, key, keylen) != 0))
		i++;
	if (i == s->nkeys) {
		assert_true(s->nkeys < KEYS);
		memset(&s->keys[i], 0, sizeof s->keys[i]);
		s->keys[i].agg = agg;
		s->keys[i].keylen = keylen;
		memcpy(s->keys[i].key, key, keylen);
		s->nkeys++;
	}
	aggval_merge(a, s->keys[i].words, words);
	s->keys[i].words[0] = 1; /* how often it was added to is merged by the consumer */
}

static int
by_key(const void *x, const void *y)
{
	return memcmp(x, y, sizeof((struct seen *)0)->keys[0]);
}

static const char *const names[3][4] = {
    {"dtrace", "", "", "BEGIN"}, {"dtrace", "", "", "END"}, {"dtrace", "", "", "ERROR"}};

static void
run(const struct engine_ops *ops, const struct dobj *o, struct seen *s)
{
	struct eng_conf c = {.nshards = 1,
	    .bufsize = 1 << 20,
	    .aggsize = 1 << 20,
	    .dynvarsize = 1 << 20,
	    .specsize = 64 << 10,
	    .scratchsize = 16 << 10,
	    .nspec = 2,
	    .sizes = {.strsize = 256, .stackframes = 20, .ustackframes = 20, .jstackframes = 20}};
	struct why why = {""};
	int index[3] = {-1, -1, -1};
	memset(s, 0, sizeof *s);
	s->o = o;
	s->ops = ops;
	s->e = ops->create(o, &c, &why);
	if (!s->e)
		fail_msg("%s: %s", ops->name, why.text);
	for (uint32_t i = 0; i < o->nclauses; i++)
		for (unsigned p = 0; p < 3; p++)
			if (strcmp(dobj_str(o, o->pdescs[o->clauses[i].pdesc].name), names[p][3]) == 0)
				index[p] = ops->bind(s->e, p + 1, names[p], i);
	if (!ops->start(s->e, &why))
		fail_msg("%s: %s", ops->name, why.text);
	struct firing f = {.probe = (unsigned)index[0], .thread = (uint64_t)gettid()};
	assert_true(index[0] >= 0);
	ops->fire(s->e, &f);
	ops->drain(s->e, see_record, s);
	ops->stop(s->e);
	if (index[1] >= 0) {
		f.probe = (unsigned)index[1];
		ops->fire(s->e, &f);
	}
	ops->drain(s->e, see_record, s);
	ops->snap(s->e, see_value, s);
	struct eng_status st;
	ops->status(s->e, &st);
	say(s, "errors %llu exit %d %d\n", (unsigned long long)st.errors, st.exiting, st.exit_status);
	for (unsigned i = 0; i < ENG_NDROPS; i++)
		say(s, "%llu ", (unsigned long long)st.drops[i]);
	ops->destroy(s->e);
	qsort(s->keys, s->nkeys, sizeof s->keys[0], by_key);
}

static void
compile_with(const char *source, struct dobj *o, const struct dobj_sizes *sizes)
{
	struct why why = {""};
	void *bytes;
	size_t len;
	int err;
	struct et *h = et_open(ET_VERSION, &err);
	assert_non_null(h);
	struct et_prog *p = et_program_strcompile(h, source, ET_PROBESPEC_NAME, 0, 0, NULL);
	if (!p)
		fail_msg("%s: %s", source, et_errmsg(h, et_errno(h)));
	assert_int_equal(et_program_exec(h, p, NULL), 0);
	assert_int_equal(et_program_save(h, &bytes, &len), 0);
	if (!dobj_read(o, bytes, len, &why) || !dobj_verify(o, &why) || !dobj_layout(o, sizes, &why))
		fail_msg("%s", why.text);
	free(bytes);
	et_close(h);
}

static void
compile(const char *source, struct dobj *o)
{
	struct dobj_sizes sizes = {.strsize = 256, .stackframes = 20, .ustackframes = 20, .jstackframes = 20};
	compile_with(source, o, &sizes);
}

static void
compare(const char *source)
{
	static struct seen user, kernel;
	struct dobj o;
	compile(source, &o);
	run(&engine_user, &o, &user);
	run(&engine_kernel, &o, &kernel);
	if (strcmp(user.text, kernel.text) != 0)
		fail_msg("%s\nuser engine:\n%s\nkernel engine:\n%s", source, user.text, kernel.text);
	if (user.nkeys != kernel.nkeys || memcmp(user.keys, kernel.keys, sizeof user.keys) != 0)
		fail_msg("%s\nthe aggregations differ: %u and %u keys", source, user.nkeys, kernel.nkeys);
	dobj_free(&o);
}

static void
test_language(void **st)
{
	(void)st;
	static const char *const sources[] = {
	    "BEGIN { trace(1); exit(3); } BEGIN { trace(2); } END { trace(4); }",
	    "BEGIN { x = 7; y = -2; trace(x / y); trace(x % y); trace(x << 3); trace(-x >> 1); trace((uint8_t)300); }",
	    "BEGIN { x = 0; trace(10 / x); } BEGIN { trace(2); } ERROR { trace(arg1); trace(arg2); trace(arg3); trace(arg4); }",
	    "BEGIN { x = 0; trace(1 % x); } ERROR { trace(*(int *)0); }",
	    "BEGIN { trace(*(int *)8); } BEGIN { trace(stringof(16)); }",
	    "BEGIN { this->a = 1; this->s = \"local\"; } BEGIN { trace(this->a); trace(this->s); }",
	    "BEGIN { s = \"abc\"; t = strjoin(s, \"def\"); trace(t); trace(s < t); trace(s == \"abc\"); trace(strlen(t)); }",
	    "BEGIN { self->x = 5; self->s = \"thread\"; trace(self->x); trace(self->s); self->x = 0; trace(self->x); }",
	    "BEGIN { a[1, \"k\"] = 7; a[2, \"k\"] = 8; trace(a[1, \"k\"] + a[2, \"k\"]); a[1, \"k\"] = 0; trace(a[1, \"k\"]); }",
	    "BEGIN { s[\"x\"] = \"value\"; trace(s[\"x\"]); trace(s[\"y\"]); }",
	    "BEGIN { @ = count(); @a[1] = sum(-3); @b[\"x\", 2] = avg(5); @c = min(3); @c = min(-4); @d = max(-9); }",
	    "BEGIN { @ = quantize(0); @ = quantize(-1); @ = quantize(1 << 40); @ = quantize(-(1LL << 62), 3); }",
	    "BEGIN { @ = lquantize(-5, 0, 100, 10); @ = lquantize(99, 0, 100, 10); @ = lquantize(100, 0, 100, 10, 4); }",
	    "BEGIN { @ = llquantize(0, 10, 0, 3, 20); @ = llquantize(55, 10, 0, 3, 20); @ = llquantize(99999, 10, 0, 3, 20); }",
	    "BEGIN { @ = stddev(-7); @ = stddev(9223372036854775807); @ = stddev(1000000007); }",
	    "BEGIN { i = speculation(); trace(i); } BEGIN { speculate(i); trace(\"kept\"); } BEGIN { commit(i); }",
	    "BEGIN { i = speculation(); } BEGIN { speculate(i); trace(\"gone\"); } BEGIN { discard(i); trace(speculation()); }",
	    "BEGIN { i = speculation(); j = speculation(); trace(speculation()); } BEGIN { speculate(0); trace(\"never\"); } BEGIN { trace(3); }",
	    "BEGIN { speculate(99); }",
	    "BEGIN { trace(strtok(\"a,b;c\", \",;\")); } BEGIN { trace(strtok(NULL, \",;\")); trace(strtok(NULL, \",;\")); trace(strtok(NULL, \",\") == NULL); }",
	    "BEGIN { trace(index(\"hello\", \"l\")); trace(rindex(\"hello\", \"l\")); trace(strstr(\"hello\", \"ll\")); trace(strchr(\"hello\", 'l')); trace(strrchr(\"hello\", 'l')); }",
	    "BEGIN { trace(substr(\"hello\", -3, 2)); trace(substr(\"hello\", 1)); trace(substr(\"hello\", -9, 6)); trace(substr(\"hello\", 2, -1)); }",
	    "BEGIN { trace(basename(\"/a/b//\")); trace(dirname(\"/a/b//\")); trace(cleanpath(\"/a/./b/../../c//d\")); trace(cleanpath(\"../x/..\")); }",
	    "BEGIN { trace(lltostr(-42)); trace(lltostr(255, 16)); trace(strtoll(\" -0x1f\", 16)); trace(strtoll(\"12z\")); trace(toupper(\"aZ9\")); trace(tolower(\"aZ9\")); }",
	    "BEGIN { this->p = (char *)alloca(8); this->p[0] = 'h'; this->p[1] = 'i'; trace(stringof(this->p)); }",
	    "BEGIN { this->p = alloca(100000); trace(1); }",
	    "BEGIN { trace(htons(0x1234)); trace(htonl(0x12345678)); trace(ntohll(0x0102030405060708)); }",
	    "struct s { int a; char b[6]; long c; }; struct s g; BEGIN { g.a = 5; g.c = -1; x[1] = g; y = x[1]; trace(y.a); trace(y.c); trace(x[2].a); }",
	    "BEGIN { s = \"{\\\"a\\\": {\\\"b\\\": [1, \\\"x\\\\ny\\\", {\\\"c\\\": -1.5}, []]}, \\\"\\\": true}\"; trace(json(s, \"a.b[1]\")); trace(json(s, \"a.b[2].c\")); trace(json(s, \"a\")); trace(json(s, \"a.b[3]\")); trace(json(s, \"a.b[4]\") == NULL); trace(json(s, \"[0]\") == NULL); trace(json(s, \"a.\") == NULL); }",
	    "BEGIN { trace(json(\"[]\", \"[0]\") == NULL); trace(json(\"{\\\"a\\\":\", \"a\") == NULL); trace(json(\"[[1,2],[3,4]]\", \"[1][0]\")); trace(json(\"1\", \"\") == NULL); trace(json(\" {  }\", \"x\") == NULL); trace(json(\"[1 2]\", \"[1]\") == NULL); }",
	    "BEGIN { trace(cwd); trace(root); trace(fds[0].fi_pathname); trace(fds[0].fi_name); trace(fds[0].fi_dirname); trace(fds[9999].fi_offset); }",
	    "BEGIN { if (pid > 0) { trace(\"then\"); } else { trace(\"else\"); } trace(\"after\"); }",
	    "BEGIN { trace(probeprov); trace(probename); trace(epid); trace(id); trace(pid); trace(tid); trace(ppid); trace(uid); trace(gid); trace(zonename); }",
	    "BEGIN { trace(inet_ntop(2, (ipaddr_t *)alloca(4))); this->a = (uint8_t *)alloca(16); this->a[15] = 1; trace(inet_ntop(10, this->a)); this->a[0] = 0xfe; trace(inet_ntop(10, this->a)); }",
	};
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		compare(sources[i]);
}

/* ---- made-up expressions ---- */

static uint64_t seed;

static unsigned
roll(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 33) % n;
}

static void
expression(char *to, size_t size, unsigned depth)
{
	int len = 0;
	static const char *const ops[] = {
	    "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=", "&&", "||", "^^", ">", ">="};
	static const char *const leaves[] = {"a", "b", "c", "d", "e", "0", "1", "-1", "127", "0x7fffffff",
	    "-0x80000000LL", "0xffffffffffffffffULL", "12345678901LL", "strlen(s)", "(s == t)", "(s < t)",
	    "index(s, t)", "strtoll(u)"};
	static const char *const casts[] = {"(int8_t)", "(uint8_t)", "(int16_t)", "(uint16_t)", "(int32_t)",
	    "(uint32_t)", "(int64_t)", "(uint64_t)", "~", "-", "!"};
	char x[512], y[512];
	switch (depth ? roll(4) : 0) {
	case 0:
		snprintf(to, size, "%s", leaves[roll(sizeof leaves / sizeof *leaves)]);
		break;
	case 1:
		expression(x, sizeof x, depth - 1);
		len = snprintf(to, size, "%s(%s)", casts[roll(sizeof casts / sizeof *casts)], x);
		break;
	default:
		expression(x, sizeof x, depth - 1);
		expression(y, sizeof y, depth - 1);
		/* what is known to be 0 is refused by the compiler */
		unsigned op = roll(sizeof ops / sizeof *ops);
		len = snprintf(to, size, op == 3 || op == 4 ? "((%s) %s ((%s) + z))" : "((%s) %s (%s))", x, ops[op], y);
		break;
	}
	assert_true(len >= 0 && (size_t)len < size);
}

static void
test_expressions(void **st)
{
	(void)st;
	const char *start = getenv("SEED");
	for (unsigned i = 0; i < 60; i++) {
		char source[16384] = "BEGIN { z = 0; a = 5; b = -77; c = (int8_t)200; d = 1LL << 62; e = (uint32_t)-1; "
				     "s = \"some text\"; t = \"text\"; u = \"-42\"; }";
		seed = (start ? strtoull(start, NULL, 0) : 20240601) * 1000003 + i * 7919 + 1;
		for (unsigned k = 0; k < 4; k++) {
			char x[2048];
			expression(x, sizeof x, 3);
			size_t at = strlen(source);
			snprintf(source + at, sizeof source - at, "\nBEGIN { trace((int64_t)(%s)); }", x);
		}
		compare(source);
	}
}

/* ---- changed programs ---- */

/* If our verifier accepts a program, the kernel's does too, or it is refused with a message of ours. MUTATIONS: how
 * many; the default is 150. */
static void
test_mutated(void **st)
{
	(void)st;
	static const char *const sources[] = {
	    "BEGIN { x = 7; y = -2; trace(x / y); trace(x << 3); a[x, \"k\"] = y; self->z = x; trace(a[x, \"k\"] + self->z); }",
	    "BEGIN { x = 1; s = \"abc\"; t = strjoin(s, execname); trace(t); trace(s < t); trace(substr(t, 1, x)); x++; }",
	    "BEGIN { x = 1; @[execname, pid] = count(); @b = quantize(x); @c[x] = lquantize(x, 0, 100, 10); @d = stddev(x); x++; }",
	    "BEGIN { x = 1; this->p = (char *)alloca(8); this->p[x & 7] = 'h'; trace(stringof(this->p)); trace(*(int *)x); x++; }",
	    "BEGIN { x = 1; i = speculation(); } BEGIN { speculate(i); trace(json(cwd, \"a\")); } BEGIN { commit(i); } BEGIN { exit(x); x++; }",
	};
	const char *many = getenv("MUTATIONS"), *start = getenv("SEED");
	unsigned n = many ? (unsigned)atoi(many) : 150, taken = 0, loaded = 0;
	seed = (start ? strtoull(start, NULL, 0) : 20240601) * 7919 + 1;
	struct eng_conf c = {.nshards = 1,
	    .bufsize = 64 << 10,
	    .aggsize = 64 << 10,
	    .dynvarsize = 64 << 10,
	    .specsize = 4096,
	    .scratchsize = 16 << 10,
	    .nspec = 1,
	    .sizes = {.strsize = 256, .stackframes = 20, .ustackframes = 20, .jstackframes = 20}};
	for (unsigned tries = 0; taken < n && tries < n * 1000; tries++) {
		struct dobj o;
		struct why why = {""};
		compile_with(sources[roll(sizeof sources / sizeof *sources)], &o, &c.sizes);
		for (unsigned k = 1 + roll(3); k; k--) {
			struct dif_insn *in = &o.code[roll(o.ncode)];
			switch (roll(5)) {
			case 0:
				in->op = (uint8_t)roll(DIF_NOPS);
				break;
			case 1:
				in->rd = (uint8_t)roll(8);
				break;
			case 2:
				in->rs = (uint8_t)roll(8);
				break;
			case 3:
				in->rt = (uint8_t)roll(8);
				break;
			default:
				in->imm = roll(4) ? (int32_t)roll(16) : (int32_t)(roll(1u << 31) * 2);
				break;
			}
		}
		if (!dobj_verify(&o, &why) || !dobj_layout(&o, &c.sizes, &why)) {
			dobj_free(&o);
			continue;
		}
		taken++;
		struct engine *e = engine_kernel.create(&o, &c, &why);
		if (e) {
			for (uint32_t i = 0; i < o.nclauses; i++)
				assert_true(engine_kernel.bind(e, 1, names[0], i) >= 0);
			bool ok = engine_kernel.start(e, &why);
			if (!ok && strstr(why.text, "the kernel refuses"))
				fail_msg("a program that our verifier takes is refused: %s", why.text);
			struct firing f = {.probe = 0, .thread = (uint64_t)gettid()};
			if (ok)
				engine_kernel.fire(e, &f);
			loaded += ok;
			engine_kernel.stop(e);
			engine_kernel.destroy(e);
		}
		dobj_free(&o);
	}
	assert_int_equal(taken, n);
	assert_true(loaded * 2 > n);
}

/* The engine checks its own limits; the kernel never has to. */
static void
test_refusals(void **st)
{
	(void)st;
	struct eng_conf c = {.nshards = 1, .bufsize = 4096, .aggsize = 4096, .dynvarsize = 4096, .nspec = 1};
	struct dobj o;
	struct why why;
	compile("BEGIN { trace(1); }", &o);
	c.sizes.strsize = 128 << 10;
	assert_null(engine_kernel.create(&o, &c, &why));
	assert_non_null(strstr(why.text, "strsize"));
	c.sizes.strsize = 256;
	c.nspec = 1 << 20;
	assert_null(engine_kernel.create(&o, &c, &why));
	assert_non_null(strstr(why.text, "nspec"));
	dobj_free(&o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_language), cmocka_unit_test(test_expressions),
	    cmocka_unit_test(test_refusals), cmocka_unit_test(test_mutated)};
	struct map_def d = {.type = BPF_MAP_TYPE_HASH, .key = 4, .value = 4, .entries = 1, .name = "try"};
	int fd = sys_map_create(&d);
	if (fd < 0) {
		printf("skipped: BPF is not permitted\n");
		return 67;
	}
	close(fd);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
