/*
 * D objects as bytes: what is written is read back the same; cut short or
 * changed anywhere they are refused, or what passes the verifier is safe to run.
 */
#include "object.h"

#include "object/disasm.h"
#include "object/dobj.h"
#include "engine/engine.h"

#include <stdio.h>

static void
test_round_trip(void **state)
{
	(void)state;
	struct dobj a, b;
	void *one, *two;
	size_t n1, n2;
	struct why why = {""};
	compile_to(&a, rich_source);
	if (!dobj_verify(&a, &why))
		fail_msg("%s", why.text);
	assert_true(dobj_write(&a, &one, &n1));
	assert_true(dobj_read(&b, one, n1, &why));
	if (!dobj_verify(&b, &why))
		fail_msg("%s", why.text);
#define X(table, row) \
	assert_int_equal(a.n##table, b.n##table); \
	assert_true(b.n##table > 0);
	DOBJ_TABLES(X)
#undef X
	assert_int_equal(a.ncode, b.ncode);
	assert_memory_equal(a.code, b.code, a.ncode * sizeof *a.code);
	assert_memory_equal(a.ints, b.ints, a.nints * sizeof *a.ints);
	assert_memory_equal(a.strs, b.strs, a.nstrs);
	assert_memory_equal(a.aggs, b.aggs, a.naggs * sizeof *a.aggs);
	assert_memory_equal(a.vars, b.vars, a.nvars * sizeof *a.vars);
	assert_memory_equal(a.members, b.members, a.nmembers * sizeof *a.members);
	assert_true(dobj_write(&b, &two, &n2));
	assert_int_equal(n1, n2);
	assert_memory_equal(one, two, n1);
	for (unsigned i = 0; i < a.nclauses; i++) {
		char *x = dif_disasm(&a, i), *y = dif_disasm(&b, i);
		assert_string_equal(x, y);
		assert_non_null(strstr(x, "end\n"));
		free(x);
		free(y);
	}
	free(one);
	free(two);
	dobj_free(&a);
	dobj_free(&b);
}

static void
test_truncated(void **state)
{
	(void)state;
	struct dobj a, b;
	void *bytes;
	size_t n;
	struct why why;
	compile_to(&a, rich_source);
	assert_true(dobj_write(&a, &bytes, &n));
	dobj_free(&a);
	for (size_t len = 0; len < n; len++) {
		/* A block of its own, so that reading past its end is seen. */
		void *cut = malloc(len ? len : 1);
		memcpy(cut, bytes, len);
		why.text[0] = 0;
		assert_false(dobj_read(&b, cut, len, &why));
		assert_true(why.text[0] != 0);
		assert_null(b.strs);
		free(cut);
	}
	free(bytes);
}

static void
ignore_record(void *arg, unsigned shard, const struct eng_rec *r)
{
	(void)arg;
	(void)shard;
	(void)r;
}

static void
ignore_value(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	(void)arg;
	(void)agg;
	(void)key;
	(void)keylen;
	(void)words;
}

static void
run_object(struct dobj *o)
{
	struct dobj_sizes sizes = {64, 3, 3, 3, 16};
	struct why why;
	if (!dobj_layout(o, &sizes, &why))
		return;
	for (unsigned i = 0; i < o->nclauses; i++)
		free(dif_disasm(o, i));
	struct eng_conf conf = {.nshards = 1,
	    .bufsize = 4096,
	    .aggsize = 8192,
	    .dynvarsize = 8192,
	    .specsize = 1024,
	    .scratchsize = 4096,
	    .nspec = 1,
	    .sizes = sizes};
	struct engine *e = engine_user.create(o, &conf, &why);
	if (!e)
		return;
	static const char *const names[4] = {"dtrace", "", "", "BEGIN"};
	int probe = -1;
	for (unsigned i = 0; i < o->nclauses; i++)
		probe = engine_user.bind(e, 1, names, i);
	if (probe >= 0 && engine_user.start(e, &why)) {
		struct firing f = {.probe = (unsigned)probe, .thread = 1, .nargs = 2, .args = {1, 7}};
		engine_user.fire(e, &f);
		f.args[0] = 0;
		engine_user.fire(e, &f);
		engine_user.drain(e, ignore_record, NULL);
		engine_user.snap(e, ignore_value, NULL);
	}
	engine_user.destroy(e);
}

/* raise(), system() and friends need the destructive option, which is off: nothing happens to this process. */
static void
test_flipped(void **state)
{
	(void)state;
	struct dobj a, b;
	void *bytes;
	size_t n;
	struct why why;
	unsigned unread = 0, refused = 0, ran = 0;
	compile_to(&a, rich_source);
	assert_true(dobj_write(&a, &bytes, &n));
	dobj_free(&a);
	unsigned char *p = bytes;
	static const unsigned char flips[] = {0x01, 0x80, 0xff};
	for (size_t i = 0; i < n; i++) {
		for (size_t f = 0; f < sizeof flips; f++) {
			p[i] ^= flips[f];
			if (!dobj_read(&b, p, n, &why)) {
				unread++;
			} else if (!dobj_verify(&b, &why)) {
				refused++;
			} else if (i % 7 == f) {
				run_object(&b);
				ran++;
			}
			dobj_free(&b);
			p[i] ^= flips[f];
		}
	}
	free(bytes);
	assert_true(unread > 100 && refused > 1000 && ran > 100);
}

static void
test_not_an_object(void **state)
{
	(void)state;
	struct dobj o;
	struct why why = {""};
	assert_false(dobj_read(&o, "", 0, &why));
	assert_string_equal(why.text, "not a D object");
	assert_false(dobj_read(&o, "#!/usr/sbin/erltrace -s\nBEGIN", 29, &why));
	assert_string_equal(why.text, "not a D object");
}

static void
test_layout(void **state)
{
	(void)state;
	struct dobj o;
	struct why why = {""};
	compile_to(&o,
	    "BEGIN { trace((char)1); trace(\"abc\"); trace(2); stack(); ustack(7); jstack(2, 9); usym(1); sym(1); }");
	assert_true(dobj_verify(&o, &why));
	struct dobj_sizes sizes = {100, 4, 5, 6, 70};
	assert_true(dobj_layout(&o, &sizes, &why));
	static const uint32_t want[] = {1, 100, 4, 16 + 4 * 8, 16 + 7 * 8, 16 + 2 * 8 + 16, 16, 8};
	uint32_t at = 0;
	assert_int_equal(o.nfields, 8);
	for (uint32_t i = 0; i < o.nfields; i++) {
		assert_int_equal(o.fields[i].size, want[i]);
		assert_int_equal(o.fields[i].offset, at);
		at = (at + want[i] + 7) & ~7u;
	}
	assert_int_equal(o.groups[0].recsize, at);
	sizes.strsize = 17 << 20;
	assert_false(dobj_layout(&o, &sizes, &why));
	assert_non_null(strstr(why.text, "strsize"));
	sizes.strsize = UINT32_MAX;
	sizes.stackframes = UINT32_MAX;
	assert_false(dobj_layout(&o, &sizes, &why));
	dobj_free(&o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_round_trip),
	    cmocka_unit_test(test_truncated),
	    cmocka_unit_test(test_flipped),
	    cmocka_unit_test(test_not_an_object),
	    cmocka_unit_test(test_layout),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
