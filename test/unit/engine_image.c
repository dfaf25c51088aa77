/*
 * The memory of an engine, read as another process would when its writer is dead: nothing is lost, nothing counts
 * twice, what was half written is left out, and no bytes in it can hurt the reader.
 */
#include "engine/user/image.h"
#include "engine/user/user.h" /* before cmocka.h, which has a macro fail() */
#include "erltrace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef stop /* cmocka 2 defines it; engines have one */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static const char script[] =
    "BEGIN { g = 7; a[\"x\"] = 5; self->t = 3; s = \"abc\"; }"
    "tick-1s { @c[arg0] = count(); @s[\"k\"] = sum(arg0); n++; a[\"y\"] = arg0; self->u = arg0; trace(arg0); }"
    "END { }";
enum { BEGIN, TICK, END };

static struct dobj object;
static struct eng_conf conf = {.nshards = 2,
    .bufsize = 320, /* ten records */
    .aggsize = 4096,
    .dynvarsize = 8192,
    .specsize = 64,
    .scratchsize = 256,
    .nspec = 1,
    .sizes = {32, 3, 3, 3, 16},
    .outlives = true,
    .nonce = {11, 12}};

static int
compile(void **state)
{
	(void)state;
	struct why why;
	void *bytes;
	size_t len;
	int err;
	struct et *h = et_open(ET_VERSION, &err);
	assert_non_null(et_program_strcompile(h, script, ET_PROBESPEC_NAME, 0, 0, NULL));
	assert_int_equal(et_program_save(h, &bytes, &len), 0);
	assert_true(dobj_read(&object, bytes, len, &why));
	assert_true(dobj_verify(&object, &why) && dobj_layout(&object, &conf.sizes, &why));
	free(bytes);
	et_close(h);
	return 0;
}

static int
forget(void **state)
{
	(void)state;
	dobj_free(&object);
	return 0;
}

static struct engine *
begin(const struct eng_conf *c, bool shared)
{
	static const char *const names[3][4] = {
	    {"dtrace", "", "", "BEGIN"}, {"profile", "", "", "tick-1s"}, {"dtrace", "", "", "END"}};
	struct why why = {""};
	struct engine *e = engine_user.create(&object, c, &why);
	assert_non_null(e);
	assert_int_equal(image_fd(e) >= 0, shared);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(engine_user.bind(e, i + 1, names[i], i), i);
	assert_true(engine_user.start(e, &why));
	engine_user.fire(e, &(struct firing){.probe = BEGIN, .thread = UINT64_MAX});
	return e;
}

static void
tick(struct engine *e, unsigned shard, uint64_t v)
{
	engine_user.fire(e, &(struct firing){.probe = TICK, .shard = shard, .thread = 1, .nargs = 1, .args = {v}});
}

static struct image *
map(const struct engine *e, const struct eng_conf *c)
{
	struct why why = {""};
	struct image *im = image_map(image_fd(e), &object, c, &why);
	if (!im)
		fail_msg("%s", why.text);
	return im;
}

/* What was found: records in order, and sums of aggregations. */
struct found {
	unsigned nrecs;
	uint64_t recs[64], shards[64];
	uint64_t counts, sum;
};

static void
on_rec(void *arg, unsigned shard, const struct eng_rec *r, uint32_t len)
{
	struct found *f = arg;
	assert_true(f->nrecs < 64 && len >= 8);
	f->shards[f->nrecs] = shard;
	memcpy(&f->recs[f->nrecs++], r->data, 8);
}

static void
on_live_rec(void *arg, unsigned shard, const struct eng_rec *r)
{
	on_rec(arg, shard, r, 8);
}

static void
on_agg(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	struct found *f = arg;
	(void)key;
	(void)keylen;
	if (object.aggs[agg].fn == AGG_COUNT)
		f->counts += words[0];
	else
		f->sum += words[1];
}

static struct found
read_all(struct image *im, uint64_t seen)
{
	struct found f = {0};
	image_records(im, seen, on_rec, &f);
	image_aggs(im, seen, on_agg, &f);
	return f;
}

static void
nothing_is_lost_and_nothing_counts_twice(void **state)
{
	(void)state;
	struct engine *e = begin(&conf, true);
	struct image *im = map(e, &conf);
	struct found f, live = {0};
	tick(e, 0, 1);
	tick(e, 1, 2);
	f = read_all(im, 0);
	assert_int_equal(f.nrecs, 2);
	assert_int_equal(f.counts, 2);
	assert_int_equal(f.sum, 3);
	/* given out for the first time; a reader that has not got it finds it here */
	engine_user.drain(e, on_live_rec, &live);
	engine_user.snap(e, on_agg, &live);
	assert_int_equal(image_drains(e), 1);
	assert_int_equal(live.nrecs, 2);
	assert_int_equal(live.sum, 3);
	tick(e, 0, 3);
	f = read_all(im, 0);
	assert_int_equal(f.nrecs, 3);
	assert_int_equal(f.counts, 3);
	assert_int_equal(f.sum, 6);
	/* a reader that has it does not get it again */
	f = read_all(im, 1);
	assert_int_equal(f.nrecs, 1);
	assert_int_equal(f.recs[0], 3);
	assert_int_equal(f.counts, 1);
	assert_int_equal(f.sum, 3);
	live = (struct found){0};
	engine_user.drain(e, on_live_rec, &live);
	engine_user.snap(e, on_agg, &live);
	assert_int_equal(live.nrecs, 1);
	assert_int_equal(live.sum, 3);
	f = read_all(im, 2);
	assert_int_equal(f.nrecs, 0);
	assert_int_equal(f.counts, 0);
	assert_int_equal(image_torn(im), 0);
	assert_false(image_is_over(im));
	engine_user.destroy(e);
	assert_true(image_is_over(im));
	image_unmap(im);
}

static void
a_ring_has_the_last_records_in_order(void **state)
{
	(void)state;
	struct eng_conf c = conf;
	c.bufpolicy = BUF_RING;
	for (uint64_t n = 1; n < 50; n++) {
		struct engine *e = begin(&c, true);
		struct image *im = map(e, &c);
		struct found live = {0};
		for (uint64_t i = 1; i <= n; i++)
			tick(e, 0, i);
		struct found f = read_all(im, 0);
		assert_true(f.nrecs == n || f.nrecs >= 5);
		for (unsigned i = 0; i < f.nrecs; i++)
			assert_int_equal(f.recs[i], n - f.nrecs + 1 + i);
		engine_user.stop(e);
		engine_user.drain(e, on_live_rec, &live);
		assert_int_equal(live.nrecs, f.nrecs);
		assert_int_equal(read_all(im, 0).nrecs, f.nrecs);
		assert_int_equal(read_all(im, 1).nrecs, 0);
		image_unmap(im);
		engine_user.destroy(e);
	}
}

static void
what_is_half_written_is_left_out(void **state)
{
	(void)state;
	struct engine *e = begin(&conf, true);
	struct image *im = map(e, &conf);
	tick(e, 0, 1);
	tick(e, 1, 2);
	/* the sum of shard 0 is in the table's last entry: its two words stand at the end */
	struct aggtab *t = &user_of(e)->shards[0].agg[user_of(e)->shards[0].active[TURN_AGG]];
	t->busy = (uint32_t)((t->top - 16) / 8);
	struct found f = read_all(im, 0);
	assert_int_equal(f.counts, 2);
	assert_int_equal(f.sum, 2);
	assert_int_equal(image_torn(im), 1);
	/* a record does not count before it is whole */
	user_of(e)->shards[1].buf[user_of(e)->shards[1].active[TURN_BUF]].off = 0;
	assert_int_equal(read_all(im, 0).nrecs, 1);
	image_unmap(im);
	engine_user.destroy(e);
}

static void
variables_have_heirs(void **state)
{
	(void)state;
	struct engine *e = begin(&conf, true);
	struct image *im = map(e, &conf);
	struct eng_conf c = conf;
	c.nshards = 1;
	c.outlives = false;
	for (uint64_t i = 1; i <= 5; i++)
		tick(e, 0, i);
	struct engine *heir = begin(&c, false);
	user_of(heir)->gscalars[0] = 0;
	image_variables(im, heir);
	uint64_t all = 0;
	for (unsigned i = 0; i < user_of(heir)->ngscalars; i++)
		all = all * 10 + user_of(heir)->gscalars[i];
	assert_true(all == 75 || all == 57); /* g and n */
	assert_string_equal(user_of(heir)->gmem, "abc");
	/* the same element is found, not made a second time: BEGIN's, with its own value */
	tick(heir, 0, 9);
	assert_int_equal(image_torn(im), 0);
	engine_user.destroy(heir);
	image_unmap(im);
	engine_user.destroy(e);
}

/* Only BEGIN, END and ticks are bound: the state is that of END alone. */
static void
how_far_end_has_come(void **state)
{
	(void)state;
	struct engine *e = begin(&conf, true);
	struct image *im = map(e, &conf);
	tick(e, 0, 1);
	assert_int_equal(image_end(im), IMAGE_END_NOT);
	user_of(e)->head->ending = IMAGE_END_BEGUN;
	assert_int_equal(image_end(im), IMAGE_END_BEGUN);
	user_of(e)->head->ending = 77; /* an enemy's */
	assert_int_equal(image_end(im), IMAGE_END_BEGUN);
	user_of(e)->head->ending = IMAGE_END_NOT;
	engine_user.stop(e);
	tick(e, 0, 2);
	assert_int_equal(image_end(im), IMAGE_END_NOT);
	engine_user.fire(e, &(struct firing){.probe = END, .thread = UINT64_MAX});
	assert_int_equal(image_end(im), IMAGE_END_DONE);
	image_unmap(im);
	engine_user.destroy(e);
}

static void
only_the_right_memory_is_mapped(void **state)
{
	(void)state;
	struct why why;
	struct engine *e = begin(&conf, true);
	struct eng_conf c = conf;
	c.nonce[1]++;
	assert_null(image_map(image_fd(e), &object, &c, &why));
	c = conf;
	c.aggsize /= 2;
	assert_null(image_map(image_fd(e), &object, &c, &why));
	c = conf;
	c.nspec = 0;
	assert_null(image_map(image_fd(e), &object, &c, &why));
	/* less than was asked for is fine */
	c = conf;
	c.aggsize *= 2;
	c.bufsize *= 2;
	struct image *im = image_map(image_fd(e), &object, &c, &why);
	assert_non_null(im);
	assert_int_equal(read_all(im, 0).nrecs, 0);
	image_unmap(im);
	/* a file that could be cut is refused */
	int fd = memfd_create("erltrace", MFD_CLOEXEC);
	assert_int_equal(ftruncate(fd, 1 << 20), 0);
	assert_null(image_map(fd, &object, &conf, &why));
	assert_int_equal(ftruncate(image_fd(e), 0), -1);
	close(fd);
	engine_user.destroy(e);
}

static void
ignore_rec(void *arg, unsigned shard, const struct eng_rec *r, uint32_t len)
{
	volatile char *sum = arg;
	(void)shard;
	for (uint32_t i = 0; i < len; i++)
		*sum = (char)(*sum + r->data[i]);
}

static void
ignore_agg(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	volatile char *sum = arg;
	assert_true(agg < object.naggs);
	for (size_t i = 0; i < keylen; i++)
		*sum = (char)(*sum + ((const char *)key)[i]);
	*sum = (char)(*sum + (char)words[dobj_agg_words(&object.aggs[agg]) - 1]);
}

/* Whatever is written into it, the reader ends and reads only memory that exists (sanitizers check that). */
static void
no_bytes_hurt_the_reader(void **state)
{
	(void)state;
	enum { ROUNDS = 2000 };
	static const uint64_t values[] = {0, 1, 8, 15, 16, 64, 4096, INT32_MAX, UINT32_MAX, UINT64_MAX, 1ull << 40};
	unsigned seed = 1;
	for (int policy = BUF_SWITCH; policy <= BUF_FILL; policy++)
		for (int round = 0; round < ROUNDS; round++) {
			struct eng_conf c = conf, own = conf;
			volatile char sum = 0;
			c.bufpolicy = (enum eng_bufpolicy)policy;
			struct engine *e = begin(&c, true);
			for (uint64_t i = 0; i < 12; i++)
				tick(e, i % 2, i);
			struct image *im = map(e, &c);
			char *spoilt =
			    mmap(NULL, user_of(e)->store.size, PROT_READ | PROT_WRITE, MAP_SHARED, image_fd(e), 0);
			assert_true(spoilt != MAP_FAILED);
			/* where the structures are it hurts most */
			size_t end = round % 2 ? user_of(e)->store.size
					       : (size_t)((char *)user_of(e)->dynmem + 512 - user_of(e)->store.at);
			for (unsigned n = (unsigned)rand_r(&seed) % 8; n < 9; n++) {
				size_t at = sizeof(struct store_head) +
					    (size_t)rand_r(&seed) % (end - sizeof(struct store_head) - 8);
				uint64_t v = values[(unsigned)rand_r(&seed) % (sizeof values / sizeof *values)];
				memcpy(spoilt + (at & ~(size_t)3), &v, rand_r(&seed) % 2 ? 8 : 4);
			}
			munmap(spoilt, user_of(e)->store.size);
			image_records(im, (uint64_t)round % 2, ignore_rec, (void *)(uintptr_t)&sum);
			image_aggs(im, (uint64_t)round % 2, ignore_agg, (void *)(uintptr_t)&sum);
			own.nshards = 1;
			own.outlives = false;
			if (round % 10 == 0) {
				struct engine *heir = begin(&own, false);
				struct eng_status s = {0};
				image_variables(im, heir);
				image_status(im, &s);
				engine_user.stop(heir);
				engine_user.fire(heir, &(struct firing){.probe = END, .thread = UINT64_MAX});
				engine_user.destroy(heir);
			}
			image_unmap(im);
			engine_user.destroy(e);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_is_lost_and_nothing_counts_twice),
	    cmocka_unit_test(a_ring_has_the_last_records_in_order),
	    cmocka_unit_test(what_is_half_written_is_left_out),
	    cmocka_unit_test(variables_have_heirs),
	    cmocka_unit_test(how_far_end_has_come),
	    cmocka_unit_test(only_the_right_memory_is_mapped),
	    cmocka_unit_test(no_bytes_hurt_the_reader),
	};
	return cmocka_run_group_tests(tests, compile, forget);
}
