/*
 * The user engine's insides: what its files share. Nobody outside this folder includes it (except tests of the engine's
 * own limits).
 *
 * Locks. A shard's lock (its own, or the caller's: struct eng_locks) is held for a whole firing. Everything in struct
 * shard except the counters and what is marked as the consumer's belongs to its holder. The consumer waits for no
 * firing: tables and buffers change hands without the lock (turn.c). It tries to take it only to finish speculations. A
 * stripe's lock (dyn.c) and the allocator's lock nest inside it, in that order. Nothing is allocated once the engine
 * has started.
 */
#ifndef ET_ENGINE_USER_USER_H
#define ET_ENGINE_USER_USER_H

#include "base/clock.h"
#include "base/hot.h"
#include "object/procinfo.h"
#include "object/subr.h"
#include "engine/engine.h"
#include "engine/user/spin.h"

#include <stdatomic.h>
#include <string.h>

enum { CACHE_LINE = 64, NARGS = 10, MAX_FRAMES = 4096 };

/* ---- decoded program ---- */

struct activation;
typedef bool subr_fn(struct activation *r, const uint64_t *arg, unsigned nargs, uint64_t *result);

/* An instruction with its operand resolved. */
struct decoded {
	uint8_t op, rd, rs, rt;
	int32_t imm;
	union {
		uint64_t k;
		const struct decoded *to;
		const struct var *var;
		const struct agg *agg;
		subr_fn *fn;
	} u;
};

struct key {
	uint8_t kind, is_signed, shift; /* DK_INT: 64 - bits */
	uint32_t size;                  /* DK_BYTES: bytes */
	uint32_t frames;                /* stacks: at most this many */
	uint32_t max;                   /* packed bytes, at most */
};

struct var {
	uint8_t scope, kind, assoc;
	uint8_t quick;   /* enum var_quick */
	uint32_t id;     /* row of the object's variables */
	uint32_t size;   /* by reference: bytes kept, a multiple of 8 */
	uint32_t nbytes; /* DK_BYTES: bytes as declared; DK_STRING: strsize */
	uint32_t off;    /* scalars: index; by reference: offset in the region */
	uint32_t key, nkeys;
};
/* Numbers that dyn.c finds by one word: self->x, a[number]. */
enum var_quick { QUICK_NOT, QUICK_THREAD, QUICK_ARRAY };

struct agg {
	const struct dobj_agg *d;
	uint32_t id, nwords;
	uint32_t key, nkeys;
	uint8_t shape; /* enum agg_shape */
};
enum agg_shape { SHAPE_ANY, SHAPE_NONE, SHAPE_INT, SHAPE_STRING }; /* of the key */

struct clause {
	const struct dobj_clause *d;
	struct decoded *code;
	uint32_t cost; /* units, without operations that pay for themselves */
	uint32_t nslots;
	bool locals; /* touches clause-locals */
	bool cuts;   /* uses aggregations: see ENG_CUT_OF */
	/* If all that it does is to count by one name of the probe, or by the text of one argument: the aggregation,
	 * and which name or argument. */
	const struct agg *counts;
	uint8_t count_by; /* enum count_by, and the number */
};
enum count_by { BY_NAME = 0x10, BY_ARG = 0x20 };

struct bound {
	uint32_t clause;
	uint32_t epid; /* of the clause's first group */
};

struct probe_ent {
	uint32_t id;
	enum eng_role role;
	const char *names[4];
	uint32_t lens[4]; /* of the names */
	struct bound *bound;
	uint32_t nbound, cap;
	bool locals; /* a clause touches clause-locals: they are zeroed for each firing */
	atomic_bool fired;
	uint8_t count_by;         /* as in struct clause, … */
	const struct agg *counts; /* … if there is only that clause; otherwise NULL */
};

/* ---- buffers ---- */

struct rec_hdr {
	uint32_t size; /* including this header, a multiple of 8 */
	uint32_t epid;
	uint64_t time;
	uint16_t cpu, cut;
	int32_t fault; /* -1 if data follow; otherwise struct rec_fault follows */
};
_Static_assert(sizeof(struct rec_hdr) == ENG_RECORD_HEADER, "the consumer's side reckons with it");
struct rec_fault {
	uint32_t action, pc;
	uint64_t value;
};

struct recbuf {
	char *at;
	size_t size;
	size_t off; /* where the next record goes */
	/* ring: the oldest record is at `tail`; when wrapped, [tail, end) is older than [0, off) */
	size_t tail, end;
	/* not booleans: a reader in another process may find any byte here */
	uint8_t wrapped;
	uint8_t full;  /* fill: only END's records still go in */
	uint8_t given; /* fill and ring: a drain gave it out; the next record empties it */
	uint64_t no;   /* the drain that gave it out; 0 if none has since it was emptied */
};

struct aggtab {
	char *at;
	size_t size;              /* of at: entries are at the start, the index is at the end */
	size_t top;               /* end of the entries */
	uint32_t nindex, mask, n; /* chains; see agg.c; entries */
	uint32_t busy;            /* link of the entry of which several words are being written, or 0 */
	uint64_t no;              /* the snapshot that gave it out; 0 if none has since it was emptied */
};

enum spec_state {
	SPEC_INACTIVE,
	SPEC_ACTIVE,
	SPEC_ONE,
	SPEC_MANY,
	SPEC_COMMITTING,
	SPEC_COMMITTING_MANY,
	SPEC_DISCARDING
};

enum { FDS_CACHED = 4 };
/* What /proc said in this firing. Strings end with a NUL. */
struct bi_cache {
	struct procinfo_ps ps;
	struct procinfo_lwp lwp;
	struct procinfo_cpu cpu;
	char execname[32], threadname[32];
	char cwd[1024], root[1024], execargs[1024];
	struct procinfo_file fds[FDS_CACHED];
	uint32_t fd[FDS_CACHED];
	unsigned nfds; /* taken in turn */
};

/* Where the value under a string is that is known without its text (struct eng_same), in the active table. Each pair of
 * rows has the last two strings that were looked for: so two that come in turns do not displace each other. */
enum { MEMOS_BITS = 6, MEMOS = 1 << MEMOS_BITS };
#define MEMO_PLACE(word) (((word)*0x9e3779b97f4a7c15u >> (65 - MEMOS_BITS)) * 2) /* the first row of the pair */
struct memo {
	uint64_t word, what; /* what: kind of the word, cut and aggregation; 0 if the row is free */
	uint64_t *words;
};

/* What a shard has two of: one for firings, the other for the consumer. See turn.c. */
enum turn_of { TURN_AGG, TURN_BUF, NTURNS };

struct shard {
	_Alignas(64) struct spin lock;
	uint8_t active[NTURNS];  /* which one firings use */
	_Atomic uint32_t wanted; /* which ones the next firing is to use: bits, and the number of changes above them.
				  * Only the consumer writes it. */
	uint32_t used;           /* `wanted` as the last firing found it */
	_Atomic bool fences;     /* firings must pass a barrier of their own: see turn.c */
	_Atomic uint32_t turn;   /* odd while a firing runs */
	char *scratch, *keybuf;
	/* Clause-locals of a firing [0] and of an ERROR firing inside it [1]. */
	uint64_t *lscalars[2];
	char *lmem[2];
	uint64_t bi_have; /* bit: enum dif_builtin, what is in `bi` */
	struct bi_cache *bi;
	struct aggtab agg[2];
	struct recbuf buf[2];
	struct recbuf *spec; /* [nspec] */
	char *specmem;       /* memory of all of them */
	char *tmp[2];
	struct memo memos[MEMOS];
	uint64_t rng;
	uint64_t chill_from, chilled; /* ns: start of the current second, time spent in it */
	/* the consumer's: */
	struct {
		bool owed;      /* the firings were asked to leave it, and the consumer has not taken it yet */
		uint32_t since; /* `turn` of a firing that may still use it; 0 if none was seen */
	} turns[NTURNS];
	_Atomic uint64_t drops[ENG_NDROPS];
	_Atomic uint64_t errors;
};

/* ---- engine ---- */

/* A script is ended if so many of its firings took longer than maxfire within a minute. */
enum { LATE_MOST = 10 };

enum eng_state { ENG_SETUP, ENG_RUNNING, ENG_EXITING, ENG_STOPPED };

struct dyn;

/* One block with everything of fixed size: see store.c. */
struct store {
	char *at; /* NULL while only the size is computed */
	size_t size, used;
	size_t shards; /* their offset */
	char *block;   /* from calloc(), or NULL … */
	int fd;        /* … and a file that is mapped at `at`, or -1 */
};

/* The front of the store: a reader in another process looks at this first. See image.h. */
struct store_head {
	char magic[8];
	uint32_t nshards, shardsize, headsize, dynsize; /* sizes of structures: another build may have others */
	uint64_t size, nonce[2];
	/* as in eng_conf: the writer may have less than was asked for */
	uint64_t bufsize, aggsize, dynvarsize, specsize, scratchsize, nspec;
	_Atomic uint32_t over; /* nobody writes any more */
	_Atomic int32_t exit_status;
	_Atomic uint32_t exited;
	_Atomic uint32_t ending; /* enum image_end */
};
#define STORE_MAGIC \
	{ \
		'e', 'r', 'l', 't', 'r', 1, 3, '\n' \
	}

/* What is written before this call is in memory before what is written after it, even if the thread is killed in
 * between. The reader comes after the writer died, so only the order of the writer's own instructions counts. */
static inline void
store_order(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

struct user_engine {
	/* what every firing needs is together, on few cache lines */
	const struct dobj *o;
	struct probe_ent *probes;
	struct shard *shards;
	struct clause *clauses;
	uint32_t nprobes;
	_Atomic int state; /* enum eng_state */
	struct key *keys;
	uint64_t seed;        /* secret seed of hashes, so that nobody can choose keys that collide */
	_Atomic uint32_t cut; /* ENG_CUT_OF this is the number of cuts so far */
	uint32_t strsize;
	struct eng_conf conf;
	_Atomic int exit_status;
	_Atomic bool exited, filled;
	_Atomic uint64_t late, late_since; /* firings that took too long since then (ns) */
	_Atomic bool too_late;             /* ended for that reason; why says it */
	struct why why;
	struct decoded *ops;
	struct var *vars;
	struct agg *aggs;
	uint32_t capprobes;
	uint32_t *by_id; /* [nids]: index of a probe plus one */
	uint32_t nids;
	struct eng_epid *epids; /* [0] is unused */
	uint32_t nepids, capepids;
	int error_probe;      /* index, or -1 */
	uint64_t end_reserve; /* bytes reserved for END's records; other records leave them free */
	_Atomic uint64_t *gscalars;
	char *gmem;
	size_t gsize, lsize;
	uint32_t ngscalars, nlscalars;
	_Atomic uint16_t cut_taken; /* cuts at the last snapshot */
	bool still;                 /* stopped, and no firing runs any more */
	bool part[NTURNS];          /* the last drain or snapshot did not have everything */
	_Atomic int *spec;          /* [nspec]: enum spec_state of id - 1 */
	/* Free speculations are a list. This is the id of the first | changes << 32. spec_next has, for each id - 1,
	 * the next id; 0 ends the list. */
	_Atomic uint64_t spec_free;
	_Atomic uint32_t *spec_next;
	_Atomic uint32_t spec_busy; /* speculations that are being committed or discarded */
	struct dyn *dyn;
	uint32_t *dynheads;
	char *dynmem;
	int32_t pid;
	bool confined; /* as in eng_conf */
	struct store store;
	size_t blocks_size;
	struct store_head *head;
	uint64_t nsnaps, ndrains; /* so far */
	void *blocks;             /* memory beside the store, for freeing it */
};

/* What `struct engine` of engine.h is here. */
static inline struct user_engine *
user_of(const struct engine *e)
{
	return (struct user_engine *)(uintptr_t)e;
}

/* ---- one firing ---- */

/* Where dyn.c has found a number, or that it is not there, because clauses often use one several times. Valid as long
 * as its stripe has had so many changes. */
struct dyn_found {
	const struct var *var; /* NULL: nothing */
	uint64_t word;         /* the key */
	struct stripe *st;
	struct elem *el; /* NULL if there is none */
	uint32_t changes;
};

struct activation {
	struct user_engine *e;
	struct shard *sh;
	struct firing *f;
	const struct probe_ent *p;
	const struct clause *c;
	struct eng_budget *budget; /* see charge() */
	/* cached for the firing; these and what follows are together because all begin as 0 */
	uint64_t ts; /* 0 if not taken yet */
	uint64_t vts;
	int64_t wall;
	uint64_t raise;       /* signals to raise once the locks are free: bit signal - 1 */
	uint64_t thread_hash; /* for dyn.c; 0 if not made yet */
	uint64_t began;       /* ns of the thread's CPU time when the clauses of others ended; 0 if unknown */
	uint32_t args_known;  /* bit n: argmem of n was asked for */
	uint32_t epid;        /* of the clause's first group */
	uint8_t depth;        /* 1 for ERROR inside another firing */
	bool norec;           /* this clause's data are dropped */
	bool cuts;            /* a record was made after which a cut is due */
	uint32_t spec;        /* speculation that gets the clause's data, or 0 */
	struct dyn_found found;
	/* fault */
	int fault; /* -1 if none */
	uint64_t illval;
	/* memory */
	char *scratch;
	size_t scratch_used;
	uint64_t *lscalars;
	char *lmem;
	/* the open record */
	struct rec_hdr *rec;
	struct recbuf *recbuf;
	const struct dobj_group *group;
	const void *argmem[NARGS];
	size_t arglen[NARGS];
	struct eng_same argsame[NARGS];
};

static inline bool
fail(struct activation *r, enum dif_fault fault, uint64_t illval)
{
	r->fault = (int)(r->budget->over ? DIF_FAULT_TIMEOUT : fault);
	r->illval = illval;
	return false;
}

/* fire.c: looks at the clock. Returns false on a fault, if the event has taken longer than maxfire. */
bool fire_look(struct activation *r);

/*
 * Pays for work, see struct eng_budget. Moving or comparing a byte costs one unit; a system call costs a page. A loop
 * without a small bound must pay in pieces, inside the loop.
 */
enum { PIECE = 16 << 10, PAGE = 4096 };
static inline bool
charge(struct activation *r, uint64_t units)
{
	r->budget->left -= (int64_t)(units < 1ULL << 40 ? units : 1ULL << 40);
	return ET_LIKELY(r->budget->left >= 0) || fire_look(r);
}

static inline size_t
up8(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

static inline void
count_drop(struct shard *sh, enum eng_drop why)
{
	atomic_fetch_add_explicit(&sh->drops[why], 1, memory_order_relaxed);
}

/* engine.c */
/* A table that was asked to be smaller than this many elements of each kind is made this large; otherwise it would
 * drop everything. */
enum { LEAST_ELEMENTS = 4, LEAST_MOST = 16 << 20 };
size_t keybuf_size(const struct user_engine *e);

/* store.c. All memory is zeroed and on its own cache lines. */
void *eng_alloc(struct user_engine *e, size_t size); /* NULL if there is no memory */
/* Called when the sizes of variables and keys are known. Returns false if there is no memory. */
bool store_open(struct user_engine *e);
void store_close(struct user_engine *e); /* frees everything, including that of eng_alloc() */
/* For the functions *_place(), which take their part of the store. They are called twice. The first time is to learn
 * the size: then the result is an offset and not memory. */
void *store_take(struct store *s, size_t size);
/* For a reader: places everything, but "pointers" into the store are offsets. `shards` has e->conf.nshards entries. */
void store_layout(struct user_engine *e, struct shard *shards);

/* decode.c */
bool decode_program(struct user_engine *e);

/* vars.c */
bool vars_layout(struct user_engine *e, struct why *why);
/* Returns how many frames a stack's arg asks for. */
unsigned stack_frames(const struct dobj_sizes *s, enum dobj_kind kind, uint64_t arg);
size_t key_max(const struct user_engine *e, uint32_t key, uint32_t nkeys);

/* turn.c: for the consumer, except turn_switch(). */
void turn_init(struct user_engine *e);
void turn_switch(struct shard *sh); /* a firing uses what is wanted from now on */
/* Asks that firings leave their table or buffer, which they were not asked for before. The other one is empty. */
void turn_ask(struct shard *sh, enum turn_of what);
/* Must come between asking and taking, once for all shards. */
void turn_barrier(struct user_engine *e);
/* Returns whether what the firings were asked for is the consumer's now. It does not wait for a firing, but looks some
 * times, because most take less than a microsecond. `patience`: how often, for all shards together. */
enum { TURN_PATIENCE = 1000 };
bool turn_take(struct user_engine *e, struct shard *sh, enum turn_of what, unsigned *patience);
/* Returns which one the consumer has, or gets next. */
unsigned turn_other(const struct shard *sh, enum turn_of what);
bool turn_is_whole(struct engine *e, bool records);
/* The state says that no firing begins any more: waits for the last ones. */
void turn_wait_for_last(struct user_engine *e);

/* fire.c */
void eng_fire(struct engine *e, struct firing *f);
/* For the consumer: takes the shard's lock. It does not wait for a firing; the consumer comes again. Returns false
 * if the shard is busy. */
bool shard_visit(struct user_engine *e, struct shard *sh);
void shard_leave(struct user_engine *e, struct shard *sh);
uint64_t eng_cpu_now(void); /* ns of this thread's processor time */
/* Timestamp of the firing: the clock is read once. */
static inline uint64_t
run_time(struct activation *r)
{
	if (!r->ts)
		r->ts = mono_ns();
	return r->ts;
}
void fire_fault(struct activation *r, uint32_t pc); /* the clause has failed at this instruction */
/* Clauses that an event could not run are counted, so that nothing is lost silently. */
void fire_leave_out(struct activation *r, uint32_t n);
/* exit() ends everything except END and the errors of END. The clause that called it runs to its end. */
static inline bool
may_run(const struct user_engine *e, const struct probe_ent *p)
{
	int state = atomic_load_explicit(&e->state, memory_order_acquire);
	if (ET_LIKELY(state == ENG_RUNNING))
		return true;
	return state != ENG_SETUP && (p->role == ROLE_END || p->role == ROLE_ERROR);
}

/* interp.c: runs clauses of the firing's probe in order, from b up to `end`, and handles their faults. */
void interp(struct activation *r, struct user_engine *e, const struct bound *b, const struct bound *end);

/* mem.c. All fail with BADADDR; `illval` is the address that was asked for. */
struct str {
	const char *at; /* not terminated */
	size_t len;     /* < strsize */
};
bool mem_get(struct activation *r, uint64_t addr, void *to, size_t n);
bool mem_put(struct activation *r, uint64_t addr, const void *from, size_t n);
bool mem_set0(struct activation *r, uint64_t addr, size_t n);
bool mem_load(struct activation *r, uint64_t addr, unsigned size, uint64_t *v);
bool mem_store(struct activation *r, uint64_t addr, unsigned size, uint64_t v);
/* Returns `n` bytes that can be read in place. Returns NULL without a fault if the region does not allow it. */
const char *mem_direct(struct activation *r, uint64_t addr, size_t n);
/* Gets the string at an address. It is valid until the same `tmp` (0 or 1) is used again or the memory is written. */
bool mem_str(struct activation *r, uint64_t addr, unsigned tmp, struct str *s);
/* Returns false if it is not known what the string at an address is without looking at it. */
bool mem_same(struct activation *r, uint64_t addr, struct eng_same *same);
bool mem_strn(struct activation *r, uint64_t addr, unsigned tmp, uint64_t most, struct str *s);
bool mem_raw_write(struct activation *r, uint64_t addr, const void *from, size_t n);
/* Copy and zero; they pay piece by piece. */
bool mem_copy(struct activation *r, void *to, const void *from, size_t n);
bool mem_zero(struct activation *r, void *to, size_t n);
/* Return 8-aligned scratch, zeroed or not. Return NULL on a fault, mostly NOSCRATCH. */
void *scratch_new(struct activation *r, size_t n, uint64_t *addr);
void *scratch_new0(struct activation *r, size_t n, uint64_t *addr);
/* Makes a new string in scratch. */
bool scratch_str(struct activation *r, const char *s, size_t len, uint64_t *addr);

/* Cuts a number to the key's type, so that equal numbers are equal keys. */
static inline uint64_t
key_int(const struct key *k, uint64_t v)
{
	v <<= k->shift;
	return k->is_signed ? (uint64_t)((int64_t)v >> k->shift) : v >> k->shift;
}

/* tuple.c: packs keys into the shard's key buffer. */
bool tuple_pack(struct activation *r, const struct key *k, unsigned n, const uint64_t *slots, char *to, size_t *len);
/* The hash of a tuple, word by word. */
static inline uint64_t
tuple_mix(uint64_t h, uint64_t w)
{
	h = (h ^ w) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}
static inline uint64_t
tuple_end(uint64_t h)
{
	h *= 0xbf58476d1ce4e5b9u;
	return h ^ h >> 32;
}
/* Hashes whole words. The seed is secret, so nobody can make keys that collide. */
static inline uint64_t
tuple_hash(const void *words, size_t len, uint64_t seed)
{
	const char *p = words;
	uint64_t h = seed;
	for (; len; len -= 8, p += 8) {
		uint64_t w;
		memcpy(&w, p, 8);
		h = tuple_mix(h, w);
	}
	return tuple_end(h);
}

/* Packs a stack as key.h lays it out. Returns its bytes, or 0 on a fault. */
size_t stack_pack(struct activation *r, enum dobj_kind kind, unsigned frames, uint64_t *to);

/* dyn.c */
size_t dyn_sizeof(void);
void dyn_place(struct user_engine *e);
void dyn_init(struct user_engine *e);
bool dyn_load(struct activation *r, const struct var *v, const uint64_t *slots, uint64_t *value);
bool dyn_store(struct activation *r, const struct var *v, const uint64_t *slots, uint64_t value);
void dyn_thread_exit(struct engine *e, uint64_t thread);
void dyn_clean(struct user_engine *e); /* frees what is left of threads that have ended */
/* Gets what strtok() has left of its string for this thread. Returns false if there is nothing. `to` has room for
 * strsize bytes. */
bool dyn_strtok_get(struct activation *r, char *to);
bool dyn_strtok_put(struct activation *r, uint64_t s); /* the address of a string, or 0 to forget it */

/* Adds an element from elsewhere. key: packed, keylen bytes; value: v->size bytes. Returns false if there is no
 * room. */
bool dyn_put(struct user_engine *e, const struct var *v, const char *key, size_t keylen, const char *value);
/* Calls fn for each element in copies of the memory of another engine of this layout. The copies may contain
 * anything; `room` bytes from `value` on exist. Returns the number of elements that are half written and left out. */
uint64_t dyn_walk(struct user_engine *e, const char *dyn, const char *heads, const char *mem,
    void (*fn)(void *arg, uint32_t var, const char *key, size_t keylen, const char *value, size_t room), void *arg);

/* agg.c */
/* The same for a table of `top` bytes. `busy` is as in struct aggtab. */
uint64_t agg_walk(const struct user_engine *e, const char *at, size_t top, uint32_t busy,
    void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words), void *arg);
void agg_place(struct user_engine *e, struct shard *sh);
/* Returns the value under a string that is known by a word, if the shard's last firings found it; or NULL. */
static inline uint64_t *
agg_recall(struct shard *sh, const struct user_engine *e, const struct agg *a, struct eng_same same)
{
	uint64_t what = (uint64_t)same.kind << 32 | a->id | atomic_load_explicit(&e->cut, memory_order_relaxed);
	const struct memo *pair = &sh->memos[MEMO_PLACE(same.word + a->id)];
	if (ET_LIKELY(pair[0].word == same.word && pair[0].what == what))
		return pair[0].words;
	return pair[1].word == same.word && pair[1].what == what ? pair[1].words : NULL;
}
bool agg_add(struct activation *r, const struct agg *a, const uint64_t *slots, int64_t v, int64_t incr);
void agg_cut(struct user_engine *e);
/* Takes out of each shard what it has gathered. A shard that is inside a firing gives it the next time. */
void agg_snap(struct engine *e,
    void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words), void *arg);

/* buf.c */
void buf_place(struct user_engine *e, struct shard *sh);
void buf_init(struct user_engine *e, struct shard *sh);
/* Moves the records of a speculation to the principal buffer. r pays for it and may be NULL. Returns false on a
 * fault. */
bool buf_commit(struct user_engine *e, struct shard *sh, struct recbuf *from, bool is_end, struct activation *r);
/* Returns false if there is no room in the speculation; the clause ends then. Drops of the principal buffer leave
 * the clause running. */
bool rec_begin(struct activation *r, const struct dobj_group *g, uint32_t epid);
bool rec_field(struct activation *r, uint32_t field, uint64_t v);
void rec_end(struct activation *r);
void rec_error(struct activation *r, uint32_t epid, int fault, const struct rec_fault *rf);
void buf_drain(struct engine *e, void (*fn)(void *arg, unsigned shard, const struct eng_rec *rec), void *arg);

/* spec.c */
void spec_init(struct user_engine *e);
uint32_t spec_new(struct activation *r);
bool spec_speculate(struct activation *r, uint64_t id);
bool spec_commit(struct activation *r, uint64_t id);
bool spec_discard(struct activation *r, uint64_t id);
void spec_clean(struct user_engine *e);

/* builtin.c */
bool bi_is_memory(enum dif_builtin id); /* its value is DIF_ADDR(DIF_R_BUILTIN, id << 40) */
/* Returns which of the probe's four names a built-in is, or -1. */
static inline int
bi_name(enum dif_builtin id)
{
	_Static_assert(DIF_BI_PROBEMOD == DIF_BI_PROBEFUNC + 1 && DIF_BI_PROBENAME == DIF_BI_PROBEFUNC + 2 &&
			   DIF_BI_PROBEPROV == DIF_BI_PROBEFUNC + 3,
	    "the order of the names");
	const unsigned names = 0x0312; /* not a table, which would be a cache line more */
	unsigned n = (unsigned)id - DIF_BI_PROBEFUNC;
	return n < 4 ? (int)(names >> 4 * n & 3) : -1;
}
/* mem_same() without asking: a name of the probe, or an argument that was asked for before. */
static inline bool
mem_known(const struct activation *r, uint64_t addr, struct eng_same *same)
{
	uint64_t off = DIF_OFFSET(addr);
	unsigned n = (unsigned)(off >> 40);
	if (off & 0xffffffffffULL)
		return false; /* not from its beginning */
	if (DIF_REGION(addr) == DIF_R_ARG) {
		if (n >= NARGS || !(r->args_known >> n & 1) || !r->argmem[n])
			return false;
		*same = r->argsame[n];
		return same->kind;
	}
	int name = DIF_REGION(addr) == DIF_R_BUILTIN ? bi_name((enum dif_builtin)n) : -1;
	if (name < 0)
		return false;
	*same = (struct eng_same){(uintptr_t)r->p->names[name], ENG_SAME_NAME};
	return true;
}
bool bi_load(struct activation *r, enum dif_builtin id, uint32_t group, uint64_t *v);
bool bi_index(struct activation *r, enum dif_builtin id, uint64_t index, uint64_t *v);
bool bi_mem(struct activation *r, uint64_t off, const char **at, size_t *len); /* bytes of a DIF_R_BUILTIN address */

/* procinfo.c: about this process, from /proc. All fill in whole structures. */
void pi_ps(struct procinfo_ps *ps);
void pi_lwp(struct procinfo_lwp *l);
/* There may be many mounts. Returns false, with a fault, if it took too long. */
bool pi_file(struct activation *r, uint32_t fd, struct procinfo_file *f);
void pi_text(const char *file, char *to, size_t size); /* a file of /proc/self; "" if it cannot be read */
void pi_link(const char *file, char *to, size_t size);
bool pi_progeny(struct activation *r, int32_t pid, int32_t ancestor, bool *is);

/* subr.c and its neighbours */
extern subr_fn *const subr_table[DIF_NSUBRS];
#define X(id, name, proto, operands, flags) subr_fn subr_##id;
DIF_SUBRS(X)
#undef X
#define SUBR(id) bool subr_##id(struct activation *r, const uint64_t *arg, unsigned nargs, uint64_t *result)
#define UNUSED (void)r, (void)arg, (void)nargs, (void)result

#endif
