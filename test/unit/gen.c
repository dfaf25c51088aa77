/*
 * Code generation, by running what comes out: D source is compiled, verified,
 * written, read back, and fired once on the user engine; what trace()
 * recorded is compared. Where D means what C means, the C compiler says what is right.
 */
#include "object.h"

#include "base/sbuf.h"
#include "engine/engine.h"
#include "object/disasm.h"
#include "object/procinfo.h"

#include <stdio.h>

struct out {
	const struct dobj *o;
	const struct engine_ops *ops;
	struct engine *e;
	struct sbuf text;
};

static void
show_field(struct sbuf *b, const struct dobj_field *f, const char *p)
{
	if (f->kind == DK_STRING) {
		sb_printf(b, "\"%s\"", p);
	} else if (f->kind == DK_INT) {
		int64_t v = 0;
		memcpy(&v, p, f->size);
		unsigned shift = 64 - f->size * 8;
		uint64_t u = (uint64_t)v << shift;
		if (f->is_signed)
			sb_printf(b, "%lld", (long long)((int64_t)u >> shift));
		else
			sb_printf(b, "%llu", (unsigned long long)(u >> shift));
	} else {
		sb_printf(b, "<%u>", f->size);
	}
}

static void
show_record(void *arg, unsigned shard, const struct eng_rec *r)
{
	struct out *out = arg;
	(void)shard;
	if (out->text.len)
		sb_addc(&out->text, ' ');
	if (r->fault >= 0) {
		sb_printf(&out->text, "fault%d#%u", r->fault, r->fault_action);
		return;
	}
	const struct eng_epid *epid = out->ops->epid(out->e, r->epid);
	const struct dobj_group *g = &out->o->groups[epid->group];
	if (g->nfields == 0)
		sb_adds(&out->text, "-");
	for (uint32_t i = 0; i < g->nfields; i++) {
		const struct dobj_field *f = &out->o->fields[g->field + i];
		if (i)
			sb_addc(&out->text, ' ');
		show_field(&out->text, f, r->data + f->offset);
	}
}

/* What one firing of BEGIN records, as text; an error's tag when it does not compile. For the caller to free. */
static char *
run(const char *source)
{
	struct diag diag = {0};
	struct out out = {.ops = &engine_user};
	struct why why = {""};
	struct dobj first;
	if (!compile_or_not(&first, source, &diag)) {
		sb_adds(&out.text, diag.tag ? diag.tag : "no memory");
		diag_free(&diag);
	} else {
		struct dobj o;
		void *bytes;
		size_t len;
		assert_true(dobj_write(&first, &bytes, &len));
		dobj_free(&first);
		assert_true(dobj_read(&o, bytes, len, &why));
		free(bytes);
		if (!dobj_verify(&o, &why))
			fail_msg("%s: %s", source, why.text);
		struct dobj_sizes sizes = {256, 5, 5, 5, 64};
		assert_true(dobj_layout(&o, &sizes, &why));
		struct eng_conf conf = {.nshards = 1,
		    .bufsize = 1 << 20,
		    .aggsize = 1 << 20,
		    .dynvarsize = 1 << 20,
		    .specsize = 4096,
		    .scratchsize = 1 << 16,
		    .nspec = 1,
		    .sizes = sizes};
		out.o = &o;
		out.e = engine_user.create(&o, &conf, &why);
		if (!out.e)
			fail_msg("%s: %s", source, why.text);
		static const char *const names[4] = {"dtrace", "", "", "BEGIN"};
		int probe = 0;
		for (unsigned i = 0; i < o.nclauses; i++)
			probe = engine_user.bind(out.e, 1, names, i);
		assert_true(engine_user.start(out.e, &why));
		struct firing f = {
		    .probe = (unsigned)probe, .thread = 1, .nargs = 3, .args = {7, (uint64_t)-3, 1ULL << 40}};
		engine_user.fire(out.e, &f);
		engine_user.drain(out.e, show_record, &out);
		engine_user.destroy(out.e);
		char *listing = dif_disasm(&o, 0);
		assert_non_null(listing);
		free(listing);
		dobj_free(&o);
	}
	sb_adds(&out.text, "");
	return out.text.at;
}

static void
expect(const char *source, const char *want)
{
	char *got = run(source);
	if (strcmp(got, want) != 0)
		fail_msg("%s\n  gives    %s\n  expected %s", source, got, want);
	free(got);
}

/* C's answer: the same text is D in the program and C in the test. */
struct c_says {
	const char *text;
	long long value;
};

static void
test_c_arithmetic(void **state)
{
	(void)state;
	signed char c = -3;
	unsigned char uc = 250;
	short s = -30000;
	unsigned short us = 60000;
	int i = -7, j = 3, zero = 0, big = INT32_MAX;
	unsigned u = 4000000000u, one = 1;
	long l = -5000000000L, k = 12;
	unsigned long ul = 0xf000000000000000UL;
	static const char decls[] =
	    "char c; unsigned char uc; short s; unsigned short us; int i, j, zero, big; unsigned u, one; long l, k; "
	    "unsigned long ul; BEGIN { c = -3; uc = 250; s = -30000; us = 60000; i = -7; j = 3; "
	    "zero = 0; big = 2147483647; "
	    "u = 4000000000; one = 1; l = -5000000000; k = 12; ul = 0xf000000000000000; trace((long)(%s)); }";
#define E(x) \
	{ \
#x, (long long)(long)(x) \
	}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wunused-value"
	const struct c_says cases[] = {E(c + uc), E(c * uc), E(uc << 4), E(s + us), E(i / j), E(i % j), E(i / 2),
	    E(i % 2), E(i >> 1), E(u >> 1), E(i < u), E(i > one), E(-1 < one), E(i < j), E(l < u), E(l > i), E(ul > l),
	    E(ul / 3), E(ul % 10), E(ul >> 60), E(l >> 3), E(l / k), E(l % k), E(~c), E(~uc), E(~ul), E(-c), E(-l),
	    E(!i), E(!zero), E(!!i), E(i && j), E(i && zero), E(zero || j), E(zero || zero), E(i & 0xff), E(i & 0xffff),
	    E(l & 0xffffffff), E(i | j), E(i ^ j), E(us & c), E((char)us), E((unsigned char)i), E((short)u),
	    E((unsigned short)i), E((int)u), E((unsigned)i), E((int)l), E((unsigned)l), E((unsigned long)i), E((long)u),
	    E((char)(i * 100)), E(i == -7), E(i != -7), E(u == 4000000000u), E(c == -3), E((unsigned char)c == 253),
	    E(zero ? l : i), E(j ? c : ul), E(i * j + k), E(k - (i - j)), E(k * (i + j * (k - i * (j + k)))), E((i, j)),
	    E(i <= -7), E(i >= -7), E(u <= i), E(u >= i), E(j + 1 > 3 && k < 13 || zero),
	    E((i < 0) + (j > 0) * 2 + (k == 12) * 4), E(!(i < j)), E(!(i && j)), E(1 << j), E(1L << 40), E(j << 3),
	    E(-i), E(j - 10), E(10 - j), E(k / 4), E(u / 4), E(i * 8), E(big / -1),
	    E((j > 2 ? 1 : 2) + (k > 20 ? 10 : 20)), E(k + (zero ? 1 : (j ? 5 : 6))), E((i && j) + (zero && j) * 2 + 3),
	    E(k + (i && (j || zero)) + (zero || k)), E(sizeof(c) + sizeof(l)), E(j == 3 && k == 12 && i == -7),
	    E((c < 0 ? uc : us) == 250)};
#pragma GCC diagnostic pop
#undef E
	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		char source[1024], want[32];
		snprintf(source, sizeof source, decls, cases[n].text);
		snprintf(want, sizeof want, "%lld", cases[n].value);
		expect(source, want);
	}
}

/* Where D differs from C: nothing is promoted, and nothing is cut between operators. */
static void
test_d_arithmetic(void **state)
{
	(void)state;
	static const struct c_says cases[] = {{"u << 1", 8000000000}, {"u + u", 8000000000}, {"u * 2", 8000000000},
	    {"c < uc", 0}, {"~u", -4000000001}, {"-u", -4000000000}, {"u ^ i", 4000000000 ^ -7LL},
	    {"j > 0 ? i : u", -7}, {"big + 1 > big", 1}, {"big * 2 / 2", INT32_MAX}, {"(char)(uc + 6)", 0}};
	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		char source[1024], want[32];
		snprintf(source, sizeof source,
		    "char c; unsigned char uc; int i, j, big; unsigned u; BEGIN { c = -3; uc = 250; i = -7; j = 3; "
		    "big = 2147483647; u = 4000000000; trace((long)(%s)); }",
		    cases[n].text);
		snprintf(want, sizeof want, "%lld", cases[n].value);
		expect(source, want);
	}
}

static void
test_wrapping(void **state)
{
	(void)state;
	expect("int x; BEGIN { x = 2147483647; x++; trace(x); }", "-2147483648");
	expect("int x; BEGIN { x = 2147483647; trace(x + 1); trace(x + 1 > 0); }", "-2147483648 1");
	expect("unsigned x; BEGIN { x = 0; x--; trace(x); trace(x + 1); }", "4294967295 0");
	expect("char x; BEGIN { x = 127; ++x; trace(x); x += 256; trace(x); }", "-128 -128");
	expect("unsigned char x; BEGIN { x = 255; trace(x++); trace(x); trace(--x); }", "255 0 255");
	expect("BEGIN { x = 0x7fffffffffffffff; x++; trace(x); }", "-9223372036854775808");
	expect("int x; BEGIN { x = -2147483647 - 1; trace(x / -1); trace(x % -1); }", "-2147483648 0");
	expect("BEGIN { x = 0x7fffffffffffffff; x = -x - 1; y = -1; trace(x / y); trace(x % y); }",
	    "-9223372036854775808 0");
}

static void
test_assignment(void **state)
{
	(void)state;
	expect("BEGIN { x = 5; x += 3; x -= 1; x *= 6; x /= 4; x %= 7; x <<= 4; x >>= 1; x |= 3; x ^= 1; "
	       "x &= 0xe; trace(x); }",
	    "10");
	expect("BEGIN { this->x = 5; this->x += this->x; trace(this->x++); trace(this->x--); "
	       "trace(++this->x); trace(--this->x); }",
	    "10 11 11 10");
	expect("BEGIN { self->x = 5; self->x *= 3; trace(self->x++); trace(self->x); self->x = 0; trace(self->x); }",
	    "15 16 0");
	expect("BEGIN { a[1, \"x\"] = 4; a[1, \"x\"]++; a[2, \"x\"] += 7; trace(a[1, \"x\"]); "
	       "trace(a[2, \"x\"]); trace(a[3, \"x\"]); }",
	    "5 7 0");
	expect("BEGIN { self->a[\"k\"] = 9; trace(self->a[\"k\"]--); trace(self->a[\"k\"]); trace(self->a[\"j\"]); }",
	    "9 8 0");
	expect("BEGIN { x = y = 7; trace(x + y); trace(z = 3); trace(z += 2); }", "14 3 5");
	expect("BEGIN { i = 1; a[i++] = i; trace(a[1]); trace(i); }", "1 2");
	expect("BEGIN { s = \"abc\"; t = s; this->u = t; self->v = this->u; m[1] = self->v; trace(m[1]); "
	       "trace(s == m[1]); }",
	    "\"abc\" 1");
	expect("BEGIN { self->s = \"x\"; trace(self->s); self->s = 0; trace(self->s); }", "fault1#4");
	expect("BEGIN { x = 1; x = x ? x + 1 : 0; trace(x); trace(x == 2 ? \"yes\" : \"no\"); }", "2 \"yes\"");
}

static void
test_memory(void **state)
{
	(void)state;
#define S \
	"struct in { char c; short h; }; struct s { char c; int i; unsigned b1:3; int b2:5; unsigned long b3:40; " \
	"struct in n; char t[8]; int a[4]; struct s *p; }; "
	expect(S
	    "struct s g; BEGIN { g.c = 300; g.i = -5; g.n.h = 70000; g.a[2] = 9; trace(g.c); trace(g.i); trace(g.n.h); "
	    "trace(g.a[2]); trace(g.a[1]); }",
	    "44 -5 4464 9 0");
	expect(S "struct s g; BEGIN { g.b1 = 13; g.b2 = -3; g.b3 = 0x123456789a; trace(g.b1); trace(g.b2); "
		 "trace(g.b3); g.b1++; "
		 "g.b2 -= 20; trace(g.b1); trace(g.b2); trace(g.b3); }",
	    "5 -3 78187493530 6 9 78187493530");
	expect(S "struct s g; BEGIN { trace(g.b1 = 15); trace(g.b2 = 31); trace(g.b1++); trace(g.b1); }", "7 -1 7 0");
	expect(S "this struct s l; BEGIN { this->l.i = 4; this->l.a[this->l.i - 1] = 6; "
		 "trace(this->l.a[3]); trace(this->l.i++); "
		 "trace(this->l.i); }",
	    "6 4 5");
	expect(S "self struct s t; BEGIN { self->t.i = 8; self->t.n.c = -1; self->t.a[1] = 5; i = 2; self->t.a[i] = 6; "
		 "self->t.b2 = -4; self->t.a[i] += 10; trace(self->t.i); trace(self->t.n.c); trace(self->t.a[1]); "
		 "trace(self->t.a[2]); trace(self->t.b2); trace(self->t.a[i]++); trace(self->t.a[i]); }",
	    "8 -1 5 16 -4 16 17");
	expect(S "struct s m[int]; BEGIN { m[1].i = 3; m[2].i = 4; i = 1; m[i].a[i + 1] = 7; m[1].i++; trace(m[1].i); "
		 "trace(m[2].i); trace(m[1].a[2]); trace(m[2].a[2]); }",
	    "4 4 7 0");
	expect(S
	    "struct s g; struct s h; BEGIN { g.i = 42; g.a[3] = 1; this->p = (struct s *)alloca(sizeof (struct s)); "
	    "*this->p = g; trace(this->p->i); trace(this->p->a[3]); trace((*this->p).i); this->p->i = 43; this->p->p = "
	    "this->p; h = *this->p->p; trace(h.i); trace(g.i); trace(this->p->p->p->i++); trace(this->p->i); }",
	    "42 1 42 43 42 43 44");
	expect(S "struct s g; BEGIN { g.i = 42; self->s = g; m[1] = self->s; trace(m[1].i); g = m[1]; trace(g.i); }",
	    "42 42");
	expect("int a[5]; BEGIN { a[0] = 10; a[1] = 11; a[4] = 14; i = 4; this->p = &a[0]; "
	       "trace(*this->p); trace(this->p[1]); "
	       "trace(*(this->p + i)); this->q = this->p + 4; trace(this->q - this->p); this->p++; trace(*this->p); "
	       "this->p += 3; trace(*this->p); trace(this->p == this->q); trace(this->p[-3]); }",
	    "10 11 14 4 11 14 1 11");
	expect("int a[5]; BEGIN { i = 5; trace(a[i]); }", "fault12#2");
	expect("int a[5]; BEGIN { i = -1; a[i] = 1; }", "fault12#2");
	expect(
	    "int a[2][3]; BEGIN { a[1][2] = 5; i = 1; trace(a[i][i + 1]); trace(a[0][2]); a[i][0]++; trace(a[1][0]); }",
	    "5 0 1");
	expect("BEGIN { trace(*(int *)0); }", "fault1#1");
	expect(
	    "BEGIN { this->p = (char *)alloca(8); this->p[3] = 'x'; trace(this->p[3]); trace(this->p[2]); }", "120 0");
	expect(S
	    "struct s g; BEGIN { g.t[0] = 'h'; g.t[1] = 'i'; trace(stringof(g.t)); trace(stringof(g.t) == \"hi\"); }",
	    "\"hi\" 1");
#undef S
}

static void
test_strings(void **state)
{
	(void)state;
	expect("BEGIN { trace(\"a\" < \"b\"); trace(\"a\" <= \"a\"); trace(\"b\" > \"ab\"); trace(\"a\" != \"a\"); }",
	    "1 1 1 0");
	expect(
	    "BEGIN { s = \"b\"; t = \"a\"; trace(s < t); trace(s >= t); trace(s > t); trace(s == t); trace(s <= t); }",
	    "0 1 1 0 0");
	expect("BEGIN { trace(strjoin(strjoin(\"a\", \"b\"), strjoin(\"c\", \"d\"))); trace(strlen(\"xyz\") + 1); }",
	    "\"abcd\" 4");
	expect("BEGIN { trace(substr(\"hello\", 1)); trace(substr(\"hello\", 1, 2)); }", "\"ello\" \"el\"");
	expect("BEGIN { x = 3; trace(x > 2 ? strjoin(\"a\", lltostr(x)) : \"none\"); }", "\"a3\"");
	expect("BEGIN { s = \"a\"; s = strjoin(s, s); s = strjoin(s, s); trace(s); }", "\"aaaa\"");
	expect("BEGIN { s = \"x\"; trace(s == \"x\" && strlen(s) == 1 ? \"one\" : \"other\"); }", "\"one\"");
}

static void
test_control(void **state)
{
	(void)state;
	expect("BEGIN", "-");
	expect("BEGIN {}", "-");
	expect("BEGIN { x = 1; }", "");
	expect("BEGIN /0/ { trace(1); }", "");
	expect("BEGIN /arg0 == 7 && arg1 < 0/ { trace(1); }", "1");
	expect("BEGIN /arg0 != 7 || (int)arg1 == -3/ { trace(1); }", "1");
	expect("BEGIN /arg0 == 7 ^^ arg1 == 0/ { trace(1); } BEGIN /arg0 == 7 ^^ arg1 == -3/ { trace(2); }", "1");
	expect("BEGIN /!(arg0 == 7 && (arg1 == 1 || arg2))/ { trace(1); } BEGIN /!!arg0/ { trace(2); }", "2");
	expect("BEGIN { trace(1); if (arg0 == 7) { trace(2); x = 5; } else { trace(3); } trace(x); }", "1 2 5");
	expect("BEGIN { if (arg0 == 8) { trace(2); } else if (arg0 == 7) { trace(3); } else { trace(4); } }", "3");
	expect("BEGIN { if (arg0) { if (arg1 > 0) { trace(1); } else { trace(2); } trace(3); } }", "2 3");
	expect("BEGIN { if (0) { trace(1); } }", "");
	expect("BEGIN { x = 0; trace(1 / x); } BEGIN { trace(2); }", "fault4#2 2");
	expect("BEGIN { trace(arg0); trace(arg1); trace(arg2); trace(arg3); }", "7 -3 1099511627776 0");
	expect("BEGIN { trace(probename); trace(probeprov); }", "\"BEGIN\" \"dtrace\"");
	expect("BEGIN { trace(epid); if (1) { trace(epid); } }", "1 2");
	expect("BEGIN { exit(3); }", "3");
}

/* More values than registers, and more than registers and slots. */
static void
test_many_values(void **state)
{
	(void)state;
	struct sbuf b = {0};
	char want[32];
	for (int depth = 1; depth <= 30; depth++) {
		sb_clear(&b);
		sb_adds(&b, "BEGIN { x = 1; trace(");
		for (int i = 0; i < depth; i++)
			sb_adds(&b, "x + (x ? 1 : 2) * (");
		sb_adds(&b, "x");
		sb_fill(&b, ')', (size_t)depth);
		sb_adds(&b, "); }");
		snprintf(want, sizeof want, "%d", depth + 1);
		expect(b.at, want);
	}
	sb_clear(&b);
	sb_adds(&b, "BEGIN { x = 1; trace(");
	for (int i = 0; i < 100; i++)
		sb_adds(&b, "x + (");
	sb_adds(&b, "x");
	sb_fill(&b, ')', 100);
	sb_adds(&b, "); }");
	expect(b.at, "D_UNKNOWN");
	sb_clear(&b);
	sb_adds(&b, "BEGIN { x = 1; trace(x");
	for (int i = 0; i < 400; i++)
		sb_adds(&b, " + x");
	sb_adds(&b, "); }");
	expect(b.at, "401");
	sb_clear(&b);
	sb_adds(&b, "BEGIN /0");
	for (int i = 0; i < 400; i++)
		sb_printf(&b, " || arg0 == %d", 406 - i);
	sb_adds(&b, "/ { trace(1); }");
	expect(b.at, "1");
	sb_free(&b);
}

/* What D declares of processes and files is what the engine fills in. */
static void
test_procinfo(void **state)
{
	(void)state;
#define MEMBER(type, structure, member) \
	{ \
#type, #member, offsetof(struct structure, member), sizeof((struct structure *)NULL)->member, \
		    sizeof(struct structure) \
	}
	static const struct {
		const char *type, *member;
		size_t offset, size, whole;
	} members[] = {MEMBER(psinfo_t, procinfo_ps, pr_pid), MEMBER(psinfo_t, procinfo_ps, pr_egid),
	    MEMBER(psinfo_t, procinfo_ps, pr_argc), MEMBER(psinfo_t, procinfo_ps, pr_addr),
	    MEMBER(psinfo_t, procinfo_ps, pr_start), MEMBER(psinfo_t, procinfo_ps, pr_ttydev),
	    MEMBER(psinfo_t, procinfo_ps, pr_contract), MEMBER(lwpsinfo_t, procinfo_lwp, pr_bindpset),
	    MEMBER(lwpsinfo_t, procinfo_lwp, pr_syscall), MEMBER(lwpsinfo_t, procinfo_lwp, pr_clname),
	    MEMBER(psinfo_t, procinfo_ps, pr_dmodel), MEMBER(psinfo_t, procinfo_ps, pr_fname),
	    MEMBER(psinfo_t, procinfo_ps, pr_psargs), MEMBER(lwpsinfo_t, procinfo_lwp, pr_lwpid),
	    MEMBER(lwpsinfo_t, procinfo_lwp, pr_onpro), MEMBER(lwpsinfo_t, procinfo_lwp, pr_addr),
	    MEMBER(lwpsinfo_t, procinfo_lwp, pr_state), MEMBER(lwpsinfo_t, procinfo_lwp, pr_name),
	    MEMBER(cpuinfo_t, procinfo_cpu, cpu_id), MEMBER(cpuinfo_t, procinfo_cpu, cpu_lgrp),
	    MEMBER(fileinfo_t, procinfo_file, fi_name), MEMBER(fileinfo_t, procinfo_file, fi_dirname),
	    MEMBER(fileinfo_t, procinfo_file, fi_pathname), MEMBER(fileinfo_t, procinfo_file, fi_fs),
	    MEMBER(fileinfo_t, procinfo_file, fi_mount), MEMBER(fileinfo_t, procinfo_file, fi_offset),
	    MEMBER(fileinfo_t, procinfo_file, fi_oflags)};
#undef MEMBER
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		char source[512], want[64];
		snprintf(source, sizeof source,
		    "BEGIN { trace(offsetof(%s, %s)); trace(sizeof(((%s *)0)->%s)); trace(sizeof(%s)); }",
		    members[i].type, members[i].member, members[i].type, members[i].member, members[i].type);
		snprintf(want, sizeof want, "%zu %zu %zu", members[i].offset, members[i].size, members[i].whole);
		expect(source, want);
	}
}

/* A statement leaves no register and no slot in use: the same one again and again always fits. */
static void
test_nothing_left_over(void **state)
{
	(void)state;
	static const char *const statements[] = {"x = 1", "x++", "x += arg0", "a[x, y] = x", "a[x, y]++",
	    "a[x, y] += x * (y + 1)", "self->v = x", "self->v++", "g.i = 1", "g.b = x", "g.b++", "g.a[x & 3] = 1",
	    "g.a[x & 3]++", "h[x].i = 2", "h[x].b += x", "h[x].a[y & 3] = x", "h[x].a[y & 3]++", "h[x] = g", "g = h[y]",
	    "self->t.b = 1", "self->t.a[x & 3] -= 1", "self->t = g", "s = \"a\"", "s = strjoin(s, stringof(g.c))",
	    "self->s = s", "self->s = 0", "m[s] = s", "s = x ? s : self->s", "x = x && y || x ^^ y",
	    "x = !x + (x < y) * (x ? y : arg0)", "@a[x, s] = quantize(x, y)", "@b = count()", "@c[stack()] = sum(x)",
	    "trace(x)", "trace(g)", "printf(\"%d %s\", x, s)", "tracemem(arg0, 8)", "stack()", "ustack()", "exit(x)",
	    "clear(@b)", "printa(@b)", "trunc(@b, x)", "print(g)", "fds[x].fi_oflags", "x = (y = 1, y + x)",
	    "x = *(int *)arg0", "x = g.i ? g.a[g.i & 3] : h[x].a[1]", "usym(arg0)", "x = strlen(substr(s, x, y))",
	    "if (x && y < 1) { trace(x); } else { x = 2; }"};
	struct sbuf b = {0};
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
		sb_clear(&b);
		sb_adds(&b,
		    "struct s { int i; int b:5; int a[4]; char c[8]; }; struct s g; struct s h[int]; self struct s t; "
		    "BEGIN { y = x = 1; s = \"\"; self->s = \"\"; self->v = 1; a[x, y] = 1; m[s] = s; "
		    "@a[x, s] = quantize(x, y); "
		    "@b = count(); } END {");
		for (int n = 0; n < 100; n++)
			sb_printf(&b, "%s; ", statements[i]);
		sb_adds(&b, "}");
		char *got = run(b.at);
		if (strncmp(got, "D_", 2) == 0)
			fail_msg("%s: %s", statements[i], got);
		free(got);
	}
	sb_free(&b);
}

/* A program that fails half-way leaves nothing behind, and what it named first is named again by the next. */
static void
test_failed_program(void **state)
{
	(void)state;
	static const struct {
		const char *source;
		bool ok;
	} programs[] = {
	    {"struct s { int i; char c[4]; }; struct s g; int x; BEGIN { y = 1; trace(\"one\"); }", true},
	    {"BEGIN { x = 5; z = \"two\"; k = 0x123456789ab; @a[x, z] = count(); trace(g); print(g); "
	     "g.i = 1; } BEGIN { trace(nothing); }",
		false},
	    {"BEGIN { g.i = 1; @a[1] = sum(1); print(g); x = 6; k = 0x123456789ab; trace(x); trace(\"two\"); }", true},
	    {"BEGIN { @a[2] = sum(2); x = 7; @z = nothing(); }", false},
	    {"BEGIN { @a[2] = sum(2); x = 7; trace(g); }", true},
	};
	struct opts opts;
	opts_init(&opts);
	struct probes *probes = probes_new();
	struct lang *lang = lang_new(&opts);
	struct unit *unit = unit_new();
	struct dobj o;
	struct why why = {""};
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		struct job job = {.lang = lang,
		    .unit = unit,
		    .probes = probes,
		    .opts = &opts,
		    .file = "t.d",
		    .text = programs[i].source,
		    .len = strlen(programs[i].source),
		    .target = -1,
		    .pspec = PS_NAME};
		struct compiled done = {0};
		struct diag diag = {0};
		unsigned before = unit_nclauses(unit);
		assert_int_equal(et_compile(&job, &done, &diag), programs[i].ok);
		if (!programs[i].ok)
			assert_int_equal(unit_nclauses(unit), before);
		free(done.stability);
		diag_free(&diag);
		assert_true(unit_object(unit, &o));
		if (!dobj_verify(&o, &why))
			fail_msg("after program %zu: %s", i + 1, why.text);
		if (i + 1 < sizeof programs / sizeof *programs)
			dobj_free(&o);
	}
	unsigned nx = 0, ng = 0, na = 0, ntwo = 0;
	for (uint32_t i = 0; i < o.nvars; i++) {
		nx += strcmp(dobj_str(&o, o.vars[i].name), "x") == 0;
		ng += strcmp(dobj_str(&o, o.vars[i].name), "g") == 0;
	}
	for (uint32_t i = 0; i < o.naggs; i++)
		na += strcmp(dobj_str(&o, o.aggs[i].name), "a") == 0 && o.aggs[i].fn == AGG_SUM && o.aggs[i].nkeys == 1;
	for (uint32_t i = 0; i < o.nstrs; i += (uint32_t)strlen(o.strs + i) + 1)
		ntwo += strcmp(o.strs + i, "two") == 0;
	assert_int_equal(nx, 1);
	assert_int_equal(ng, 1);
	assert_int_equal(na, 1);
	assert_int_equal(ntwo, 1);
	assert_int_equal(o.naggs, 1);
	assert_int_equal(o.nints, 1);
	dobj_free(&o);
	unit_free(unit);
	lang_free(lang);
	probes_free(probes);
	opts_free(&opts);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_c_arithmetic),
	    cmocka_unit_test(test_d_arithmetic),
	    cmocka_unit_test(test_wrapping),
	    cmocka_unit_test(test_assignment),
	    cmocka_unit_test(test_memory),
	    cmocka_unit_test(test_strings),
	    cmocka_unit_test(test_control),
	    cmocka_unit_test(test_many_values),
	    cmocka_unit_test(test_nothing_left_over),
	    cmocka_unit_test(test_failed_program),
	    cmocka_unit_test(test_procinfo),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
