/* Runs a verified object on the user engine within small limits: shared by the fuzz targets. */
#ifndef ET_FUZZ_RUN_OBJECT_H
#define ET_FUZZ_RUN_OBJECT_H

#include "object/aggval.h"
#include "gen/gen.h"
#include "object/disasm.h"
#include "object/key.h"
#include "engine/engine.h"

#include <stdlib.h>

struct fuzz_run {
	const struct dobj *o;
	struct engine *e;
};

/* Reads every byte of the record, and checks that its epid is known. */
static void
fuzz_record(void *arg, unsigned shard, const struct eng_rec *r)
{
	const struct fuzz_run *run = arg;
	const struct eng_epid *epid = engine_user.epid(run->e, r->epid);
	volatile char sum = 0;
	(void)shard;
	if (r->fault >= 0)
		return;
	if (!epid || epid->group >= run->o->ngroups)
		abort();
	for (uint32_t i = 0; i < run->o->groups[epid->group].recsize; i++)
		sum = (char)(sum + r->data[i]);
}

static void
fuzz_value(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	const struct fuzz_run *run = arg;
	const struct dobj_agg *a = &run->o->aggs[ENG_AGG_OF(agg)];
	struct key_elem elems[DOBJ_MAXKEYS];
	if (!key_unpack(&run->o->keys[a->key], a->nkeys, key, keylen, elems))
		abort();
	aggval_shown(a, words, 1);
}

/* The object is verified; this lays it out. Never destructive. */
static void
fuzz_run(struct dobj *o)
{
	struct dobj_sizes sizes = {32, 3, 3, 3, 16};
	struct why why;
	if (!dobj_layout(o, &sizes, &why))
		return;
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < o->nvars; i++)
		bytes += o->vars[i].size;
	for (uint32_t i = 0; i < o->nclauses; i++)
		free(dif_disasm(o, i));
	if (bytes > 1 << 20 || o->nclauses > 1000)
		return;
	struct eng_conf conf = {.nshards = 1,
	    .bufsize = 4096,
	    .aggsize = 16384,
	    .dynvarsize = 8192,
	    .specsize = 1024,
	    .scratchsize = 2048,
	    .nspec = 2,
	    .sizes = sizes};
	struct engine *e = engine_user.create(o, &conf, &why);
	if (!e)
		return;
	struct fuzz_run run = {o, e};
	static const char *const names[4] = {"dtrace", "", "", "BEGIN"}, *const error[4] = {"dtrace", "", "", "ERROR"};
	int probe = -1;
	for (unsigned i = 0; i < o->nclauses; i++) {
		probe = engine_user.bind(e, 1, names, i);
		if (i % 4 == 3)
			engine_user.bind(e, 3, error, i);
	}
	if (probe >= 0 && engine_user.start(e, &why)) {
		static const uint64_t args[] = {
		    0, 1, 7, UINT64_MAX, 0xE702000000000000, 0xE704000000000008, 1ULL << 47};
		for (unsigned i = 0; i < sizeof args / sizeof *args; i++) {
			struct firing f = {.probe = (unsigned)probe, .thread = 1 + i % 2, .nargs = (int)i};
			for (unsigned j = 0; j < 10; j++)
				f.args[j] = args[(i + j) % (sizeof args / sizeof *args)];
			engine_user.fire(e, &f);
			if (i == 3) {
				engine_user.drain(e, fuzz_record, &run);
				engine_user.snap(e, fuzz_value, &run);
				engine_user.clean(e);
				engine_user.thread_exit(e, 2);
			}
		}
		engine_user.stop(e);
		engine_user.clean(e);
		engine_user.drain(e, fuzz_record, &run);
		engine_user.snap(e, fuzz_value, &run);
	}
	engine_user.destroy(e);
}

#endif
