/* Addresses: every region at both of its ends, hostile ones, and those of the process itself. */
#include "eng.h"

#include <sys/mman.h>
#include <unistd.h>

static struct as a;

static void
start(void)
{
	as_init(&a);
	as_clause(&a);
}

static int
arg_mem(struct firing *f, unsigned n, const void **mem, size_t *len, struct eng_same *same)
{
	static const char bytes[10] = "012345678";
	(void)f;
	(void)same;
	if (n != 3)
		return DIF_FAULT_BADADDR;
	*mem = bytes;
	*len = sizeof bytes;
	return 0;
}

static const struct firing_ops arg_ops = {.argmem = arg_mem};

/* Loads one byte there; whether it faulted with that address. */
static bool
can_load(uint64_t addr)
{
	struct eng_conf c = as_conf();
	struct firing f = {.thread = 1, .ops = &arg_ops};
	as_num(&a, 1, addr);
	as_op(&a, DIF_LDUB, 0, 1, 0, 0);
	struct outcome o = outcome_with(&a, DK_INT, &c, &f);
	if (o.fault < 0)
		return true;
	assert_int_equal(o.fault, DIF_FAULT_BADADDR);
	assert_int_equal(o.illval, addr);
	return false;
}

static bool
can_store(uint64_t addr, enum dif_op op)
{
	as_num(&a, 1, addr);
	as_op(&a, op, 1, 1, 0, 0);
	struct outcome o = outcome(&a, DK_INT);
	if (o.fault < 0)
		return true;
	assert_int_equal(o.fault, DIF_FAULT_BADADDR);
	assert_int_equal(o.illval, addr);
	return false;
}

static void
test_ends_of_regions(void **st)
{
	(void)st;
	static const struct {
		enum dif_region region;
		uint64_t first, past;
		bool writable;
	} regions[] = {{DIF_R_CONST, 0, 17, false}, {DIF_R_SCRATCH, 0, 16, true}, {DIF_R_LOCAL, 0, 24, true},
	    {DIF_R_GLOBAL, 0, 64, true}, {DIF_R_ARG, 3ULL << 40, (3ULL << 40) + 10, false},
	    {DIF_R_BUILTIN, (uint64_t)DIF_BI_ZONENAME << 40, ((uint64_t)DIF_BI_ZONENAME << 40) + 7, false}};
	for (size_t i = 0; i < sizeof regions / sizeof regions[0]; i++)
		for (int where = 0; where < 4; where++) {
			enum dif_region region = regions[i].region;
			uint64_t off = where == 0   ? regions[i].first
				       : where == 1 ? regions[i].past - 1
				       : where == 2 ? regions[i].past
						    : 0xffffffffffffULL;
			for (int store = 0; store < 3; store++) {
				start();
				as_str(&a, "0123456"); /* with "" and the names of the variables: 17 bytes */
				as_var(&a, DS_LOCAL, DK_BYTES, 20);
				as_var(&a, DS_GLOBAL, DK_STRING, 0);
				if (region == DIF_R_CONST)
					assert_int_equal(a.o.nstrs, 1 + 8 + 3 + 3);
				as_str(&a, "x");
				as_slot(&a, 0, 13);
				as_op(&a, DIF_CALL, 2, 0, 1, DIF_SUBR_ALLOCA);
				uint64_t addr = DIF_ADDR(region, off);
				if (store == 0)
					assert_int_equal(can_load(addr), where < 2);
				else if (store == 1)
					assert_int_equal(can_store(addr, DIF_STB), where < 2 && regions[i].writable);
				else if (where > 0) /* eight bytes from the last one on */
					assert_false(can_store(addr, DIF_STX));
			}
		}
}

/* Nothing below a region, in regions that do not exist, in terms, or at addresses that no process has. */
static void
test_hostile(void **st)
{
	(void)st;
	static const uint64_t addrs[] = {0, 1, 4095, UINT64_MAX, UINT64_MAX - 7, 0x8000000000000000u,
	    0xffff800000000000u, DIF_ADDR(0xE700, 0), DIF_ADDR(DIF_R_TERM, 0), DIF_ADDR(0xE708, 0),
	    DIF_ADDR(DIF_R_ARG, 10ULL << 40), DIF_ADDR(DIF_R_ARG, 255ULL << 40), DIF_ADDR(DIF_R_ARG, 4ULL << 40),
	    DIF_ADDR(DIF_R_BUILTIN, 255ULL << 40), DIF_ADDR(DIF_R_BUILTIN, (uint64_t)DIF_BI_PID << 40),
	    DIF_ADDR(DIF_R_BUILTIN, (uint64_t)DIF_BI_CWD << 40 | 1 << 24), DIF_ADDR(DIF_R_CONST, 1ULL << 32),
	    DIF_ADDR(DIF_R_LOCAL, 0), DIF_ADDR(DIF_R_GLOBAL, 0), DIF_ADDR(DIF_R_SCRATCH, 0)};
	for (size_t i = 0; i < sizeof addrs / sizeof addrs[0]; i++) {
		start();
		assert_false(can_load(addrs[i]));
		start();
		assert_false(can_store(addrs[i], DIF_STB));
	}
}

/* An access that begins inside and ends outside, in each direction of the offset. */
static void
test_straddling(void **st)
{
	(void)st;
	start();
	as_op(&a, DIF_LDLA, 1, 0, 0, as_var(&a, DS_LOCAL, DK_BYTES, 8));
	as_op(&a, DIF_LDX, 0, 1, 0, 1);
	assert_fault(&a, DIF_FAULT_BADADDR, DIF_ADDR(DIF_R_LOCAL, 1));
	start();
	as_op(&a, DIF_LDLA, 1, 0, 0, as_var(&a, DS_LOCAL, DK_BYTES, 8));
	as_op(&a, DIF_LDX, 0, 1, 0, -1);
	assert_fault(&a, DIF_FAULT_BADADDR, DIF_ADDR(DIF_R_LOCAL, 0) - 1);
	start();
	as_op(&a, DIF_LDGA, 1, 0, 0, as_var(&a, DS_GLOBAL, DK_BYTES, 8));
	as_op(&a, DIF_MEMCPY, 1, 1, 0, 9);
	assert_fault(&a, DIF_FAULT_BADADDR, DIF_ADDR(DIF_R_GLOBAL, 0));
	start();
	as_op(&a, DIF_LDLA, 1, 0, 0, as_var(&a, DS_LOCAL, DK_BYTES, 8));
	as_op(&a, DIF_LDS, 2, 0, 0, as_str(&a, "01234567"));
	as_op(&a, DIF_STRCPY, 1, 2, 0, 100);
	assert_int_equal(outcome(&a, DK_INT).fault, DIF_FAULT_BADADDR);
}

/* A clause's scratch is gone in the next clause. */
static void
test_scratch_ends_with_the_clause(void **st)
{
	(void)st;
	static struct recs rs;
	struct eng_conf c = as_conf();
	as_init(&a);
	int32_t v = as_var(&a, DS_LOCAL, DK_INT, 8);
	as_clause(&a);
	as_slot(&a, 0, 8);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_ALLOCA);
	as_op(&a, DIF_STL, 0, 0, 0, v);
	as_end(&a);
	as_clause(&a);
	as_op(&a, DIF_LDL, 0, 0, 0, v);
	as_op(&a, DIF_LDX, 0, 0, 0, 0);
	as_end(&a);
	struct engine *e = eng_new(&a, &c);
	eng_bind(e, 4, 0);
	unsigned p = eng_bind(e, 4, 1);
	eng_go(e);
	fire(e, p);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 1);
	assert_int_equal(rs.at[0].r.fault, DIF_FAULT_BADADDR);
	assert_int_equal(rs.at[0].r.fault_value, DIF_ADDR(DIF_R_SCRATCH, 0));
	engine_user.destroy(e);
}

/* Memory of the process: up to the last byte before a page that can't be read. */
static void
test_process(void **st)
{
	(void)st;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(map, MAP_FAILED);
	memset(map, 'x', page);
	assert_int_equal(mprotect(map + page, page, PROT_NONE), 0);
	uint64_t end = (uint64_t)(uintptr_t)map + page;

	start();
	as_num(&a, 1, end - 8);
	as_op(&a, DIF_LDX, 0, 1, 0, 0);
	assert_value(&a, 0x7878787878787878u);
	start();
	as_num(&a, 1, end - 7);
	as_op(&a, DIF_LDX, 0, 1, 0, 0);
	assert_fault(&a, DIF_FAULT_BADADDR, end - 7);
	/* a string that does not end before the page does */
	start();
	as_slot(&a, 0, end - 5);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_STRLEN);
	assert_fault(&a, DIF_FAULT_BADADDR, end - 5);
	map[page - 1] = '\0';
	start();
	as_slot(&a, 0, end - 5);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_STRLEN);
	assert_value(&a, 4);
	/* an array is read no further than its size */
	map[page - 1] = 'x';
	start();
	as_slot(&a, 0, end - 5);
	as_slot(&a, 1, 5);
	as_op(&a, DIF_CALL, 0, 0, 2, DIF_SUBR_STRDUP_SCRATCH);
	assert_string_equal(outcome(&a, DK_STRING).text, "xxxxx");
	/* stores never go there */
	start();
	assert_false(can_store(end - 8, DIF_STX));
	munmap(map, 2 * page);
}

static void
test_no_scratch(void **st)
{
	(void)st;
	static const uint64_t sizes[] = {4097, UINT64_MAX, UINT64_MAX - 7, 1ULL << 63};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		start();
		as_slot(&a, 0, sizes[i]);
		as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_ALLOCA);
		assert_fault(&a, DIF_FAULT_NOSCRATCH, 0);
	}
	start();
	as_slot(&a, 0, 4096);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_ALLOCA);
	assert_value(&a, DIF_ADDR(DIF_R_SCRATCH, 0));
	start();
	as_slot(&a, 0, 4088);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_ALLOCA);
	as_slot(&a, 0, 9);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_ALLOCA);
	assert_fault(&a, DIF_FAULT_NOSCRATCH, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_ends_of_regions),
	    cmocka_unit_test(test_hostile),
	    cmocka_unit_test(test_straddling),
	    cmocka_unit_test(test_scratch_ends_with_the_clause),
	    cmocka_unit_test(test_process),
	    cmocka_unit_test(test_no_scratch),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
