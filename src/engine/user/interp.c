/*
 * The interpreter: threaded code over decoded instructions. The verifier has proved that registers, slots and indexes
 * are in range and that branches go forward. mem.c checks addresses as they are used.
 */
#include "engine/user/user.h"

#define RD r[ip->rd]
#define RS r[ip->rs]
#define RT r[ip->rt]
#define SS ((int64_t)RS)
#define ST ((int64_t)RT)
#define NEXT \
	do { \
		ip++; \
		goto *label[ip->op]; \
	} while (0)
#define GO(to) \
	do { \
		ip = (to); \
		goto *label[ip->op]; \
	} while (0)
#define TRY(x) \
	do { \
		if (ET_UNLIKELY(!(x))) \
			goto faulted; \
	} while (0)
#define BRANCH_IF(cond) \
	do { \
		if (cond) \
			GO(ip->u.to); \
		NEXT; \
	} while (0)

static bool
compare_strings(struct activation *run, uint64_t a, uint64_t b, uint64_t *result)
{
	/* NULL compares as the empty string, so that scripts can test strtok(...) == NULL. */
	struct str x = {"", 0}, y = {"", 0};
	if ((a && !mem_str(run, a, 0, &x)) || (b && !mem_str(run, b, 1, &y)))
		return false;
	int c = memcmp(x.at, y.at, x.len < y.len ? x.len : y.len);
	if (c == 0)
		c = (x.len > y.len) - (x.len < y.len);
	*result = (uint64_t)(int64_t)((c > 0) - (c < 0));
	return true;
}

static bool
copy_string(struct activation *run, uint64_t to, uint64_t from, uint32_t cut)
{
	struct str s = {"", 0};
	if (from && !mem_str(run, from, 0, &s))
		return false;
	size_t len = s.len < cut ? s.len : cut - 1;
	char nul[2] = {0, from ? 0 : (char)DIF_STR_NULL};
	return mem_put(run, to, s.at, len) && mem_put(run, to + len, nul, len == 0 && cut == DIF_STRVAR ? 2 : 1);
}

/* The value of a string variable. */
static bool
string_value(struct activation *run, uint64_t addr, uint64_t *value)
{
	unsigned char first[2];
	if (!mem_get(run, addr, first, sizeof first))
		return false;
	*value = !first[0] && first[1] == DIF_STR_NULL ? 0 : addr;
	return true;
}

static bool
copy_bytes(struct activation *run, uint64_t to, uint64_t from, uint32_t n)
{
	if (!from)
		return mem_set0(run, to, n);
	const char *at = mem_direct(run, from, n);
	if (at)
		return mem_put(run, to, at, n);
	char piece[512];
	for (uint32_t done = 0, len; done < n; done += len) {
		len = n - done < sizeof piece ? n - done : (uint32_t)sizeof piece;
		if (!mem_get(run, from + done, piece, len) || !mem_put(run, to + done, piece, len))
			return false;
	}
	return true;
}

static uint64_t
extract(uint64_t v, uint32_t bits)
{
	unsigned shift = bits & 0xff, width = bits >> 8 & 0xff;
	v <<= 64 - shift - width;
	return bits >> 16 ? (uint64_t)((int64_t)v >> (64 - width)) : v >> (64 - width);
}

static uint64_t
insert(uint64_t into, uint64_t v, uint32_t bits)
{
	unsigned shift = bits & 0xff, width = bits >> 8 & 0xff;
	uint64_t mask = (width == 64 ? UINT64_MAX : (1ULL << width) - 1) << shift;
	return (into & ~mask) | (v << shift & mask);
}

ET_HOT void
interp(struct activation *run, struct user_engine *e, const struct bound *b, const struct bound *end)
{
	static const void *const label[DIF_NOPS] = {
#define X(name, mnem, fmt, what) [DIF_##name] = &&L_##name,
	    /* cppcheck-suppress assignBoolToPointer ; addresses of labels */
	    DIF_OPS(X)
#undef X
	};
	uint64_t r[DIF_NREGS], slot[DIF_NSLOTS];
	const struct decoded *ip;

	if (ET_UNLIKELY(b == end))
		return;
begin:
	if (ET_UNLIKELY(run->budget->over)) {
		fire_leave_out(run, (uint32_t)(end - b));
		return;
	}
	const struct clause *c = &e->clauses[b->clause];
	run->c = c;
	run->epid = b->epid;
	run->scratch_used = 0;
	run->norec = false;
	run->spec = 0;
	run->rec = NULL;
	run->fault = -1;
	ip = c->code;
	/* each instruction runs at most once: cheap ones are paid for here, the others where they run */
	TRY(charge(run, c->cost));
	memset(r, 0, sizeof r);
	/* most clauses have few slots: no call for these */
	slot[0] = slot[1] = slot[2] = slot[3] = 0;
	if (ET_UNLIKELY(c->nslots > 4))
		memset(slot + 4, 0, (c->nslots - 4u) * sizeof slot[0]);
	goto *label[ip->op];

L_NOP:
	NEXT;
L_END:
	if (ET_LIKELY(b + 1 == end))
		return;
	goto another;
L_MOV:
	RD = RS;
	NEXT;
L_MOVI:
L_LDK:
L_LDS:
L_LDGA:
L_LDLA:
	RD = ip->u.k;
	NEXT;
L_ADD:
	RD = RS + RT;
	NEXT;
L_ADDI:
	RD = RS + ip->u.k;
	NEXT;
L_SUB:
	RD = RS - RT;
	NEXT;
L_MUL:
	RD = RS * RT;
	NEXT;
L_SDIV:
	if (RT == 0)
		goto divzero;
	RD = RT == UINT64_MAX ? 0 - RS : (uint64_t)(SS / ST);
	NEXT;
L_UDIV:
	if (RT == 0)
		goto divzero;
	RD = RS / RT;
	NEXT;
L_SREM:
	if (RT == 0)
		goto divzero;
	RD = RT == UINT64_MAX ? 0 : (uint64_t)(SS % ST);
	NEXT;
L_UREM:
	if (RT == 0)
		goto divzero;
	RD = RS % RT;
	NEXT;
L_AND:
	RD = RS & RT;
	NEXT;
L_OR:
	RD = RS | RT;
	NEXT;
L_XOR:
	RD = RS ^ RT;
	NEXT;
L_SLL:
	RD = RS << (RT & 63);
	NEXT;
L_SRL:
	RD = RS >> (RT & 63);
	NEXT;
L_SRA:
	RD = (uint64_t)(SS >> (RT & 63));
	NEXT;
L_NOT:
	RD = ~RS;
	NEXT;
L_NEG:
	RD = 0 - RS;
	NEXT;
L_EXT : {
	uint64_t v = RS << ip->rt;
	RD = ip->imm < 0 ? (uint64_t)((int64_t)v >> ip->rt) : v >> ip->rt;
	NEXT;
}
L_BFX:
	RD = extract(RS, (uint32_t)ip->imm);
	NEXT;
L_BFI:
	RD = insert(RD, RS, (uint32_t)ip->imm);
	NEXT;
L_SEQ:
	RD = RS == RT;
	NEXT;
L_SNE:
	RD = RS != RT;
	NEXT;
L_SLT:
	RD = SS < ST;
	NEXT;
L_SLE:
	RD = SS <= ST;
	NEXT;
L_SLTU:
	RD = RS < RT;
	NEXT;
L_SLEU:
	RD = RS <= RT;
	NEXT;
L_SCMP:
	TRY(compare_strings(run, RS, RT, &RD));
	NEXT;
L_BA:
	GO(ip->u.to);
L_BZ:
	BRANCH_IF(RS == 0);
L_BNZ:
	BRANCH_IF(RS != 0);
L_BEQ:
	BRANCH_IF(RS == RT);
L_BNE:
	BRANCH_IF(RS != RT);
L_BLT:
	BRANCH_IF(SS < ST);
L_BLE:
	BRANCH_IF(SS <= ST);
L_BLTU:
	BRANCH_IF(RS < RT);
L_BLEU:
	BRANCH_IF(RS <= RT);

#define LOAD(bytes, type) \
	{ \
		uint64_t v; \
		TRY(mem_load(run, RS + (uint64_t)(int64_t)ip->imm, (bytes), &v)); \
		RD = (uint64_t)(type)v; \
		NEXT; \
	}
#define STORE(bytes) \
	{ \
		TRY(mem_store(run, RD + (uint64_t)(int64_t)ip->imm, (bytes), RS)); \
		NEXT; \
	}
L_LDSB:
	LOAD(1, int8_t)
L_LDSH:
	LOAD(2, int16_t)
L_LDSW:
	LOAD(4, int32_t)
L_LDUB:
	LOAD(1, uint8_t)
L_LDUH:
	LOAD(2, uint16_t)
L_LDUW:
	LOAD(4, uint32_t)
L_LDX:
	LOAD(8, uint64_t)
L_STB:
	STORE(1)
L_STH:
	STORE(2)
L_STW:
	STORE(4)
L_STX:
	STORE(8)
L_STRCPY:
	TRY(copy_string(run, RD, RS, (uint32_t)ip->imm));
	NEXT;
L_MEMCPY:
	TRY(copy_bytes(run, RD, RS, (uint32_t)ip->imm));
	NEXT;
L_LDARG:
	RD = ip->imm < run->f->nargs ? run->f->args[ip->imm] : 0;
	NEXT;
L_LDARGX:
	if (run->f->nargs <= 0 || RS >= (uint64_t)run->f->nargs || RS >= NARGS) {
		fail(run, DIF_FAULT_BADINDEX, RS);
		goto faulted;
	}
	RD = run->f->args[RS];
	NEXT;
L_LDBI:
	if (ET_LIKELY(ip->imm == DIF_BI_TIMESTAMP)) {
		RD = run_time(run);
		NEXT;
	}
	TRY(bi_load(run, (enum dif_builtin)ip->imm, (uint32_t)ip->u.k, &RD));
	NEXT;
L_LDBIA:
	TRY(bi_index(run, (enum dif_builtin)ip->imm, RS, &RD));
	NEXT;
L_LDG:
	RD = atomic_load_explicit(&e->gscalars[ip->u.k], memory_order_relaxed);
	NEXT;
L_STG:
	atomic_store_explicit(&e->gscalars[ip->u.k], RS, memory_order_relaxed);
	NEXT;
L_LDL:
	RD = run->lscalars[ip->u.k];
	NEXT;
L_STL:
	run->lscalars[ip->u.k] = RS;
	NEXT;
L_LDT:
	TRY(dyn_load(run, ip->u.var, NULL, &RD));
	NEXT;
L_STT:
	TRY(dyn_store(run, ip->u.var, NULL, RS));
	NEXT;
L_LDA:
	TRY(dyn_load(run, ip->u.var, slot + ip->rs, &RD));
	NEXT;
L_STA:
	TRY(dyn_store(run, ip->u.var, slot + ip->rt, RS));
	NEXT;
L_LDSL:
	RD = slot[ip->imm];
	NEXT;
L_STSL:
	slot[ip->imm] = RS;
	NEXT;
L_CALL : {
	uint64_t v = 0;
	TRY(charge(run, 16) && ip->u.fn(run, slot + ip->rs, ip->rt, &v));
	RD = v;
	NEXT;
}
L_AGG:
	TRY(agg_add(run, ip->u.agg, slot + ip->rs, (int64_t)RD, (int64_t)RT));
	NEXT;
L_RECB:
	TRY(rec_begin(run, &e->o->groups[run->c->d->group + (uint32_t)ip->imm], run->epid + (uint32_t)ip->imm));
	NEXT;
L_REC:
	TRY(rec_field(run, (uint32_t)ip->imm, RS));
	NEXT;
L_RECE:
	rec_end(run);
	NEXT;
L_STRVAL:
	TRY(string_value(run, RS, &RD));
	NEXT;
L_FAULT:
	fail(run, (enum dif_fault)ip->imm, RS);
	goto faulted;

divzero:
	fail(run, DIF_FAULT_DIVZERO, 0);
faulted:
	/* Without a fault: a clause that cannot speculate just ends. */
	if (run->fault >= 0)
		fire_fault(run, (uint32_t)(ip - run->c->code));
another:
	if (++b < end && (run->depth || may_run(e, run->p)))
		goto begin;
}
