/* Every instruction of DIF on the user engine: what it computes and when it faults. */
#include "eng.h"

static struct as a;

static void
start(void)
{
	as_init(&a);
	as_clause(&a);
}

/* r0 = x op y */
static void
binary(enum dif_op op, uint64_t x, uint64_t y, uint64_t want)
{
	start();
	as_num(&a, 1, x);
	as_num(&a, 2, y);
	as_op(&a, op, 0, 1, 2, 0);
	assert_value(&a, want);
}

static void
test_arithmetic(void **st)
{
	(void)st;
	binary(DIF_ADD, UINT64_MAX, 2, 1);
	binary(DIF_SUB, 0, 1, UINT64_MAX);
	binary(DIF_MUL, 1ULL << 63, 3, 1ULL << 63);
	binary(DIF_SDIV, (uint64_t)-7, 2, (uint64_t)-3);
	binary(DIF_SDIV, 1ULL << 63, UINT64_MAX, 1ULL << 63);
	binary(DIF_UDIV, UINT64_MAX, 2, INT64_MAX);
	binary(DIF_SREM, (uint64_t)-7, 2, (uint64_t)-1);
	binary(DIF_SREM, 1ULL << 63, UINT64_MAX, 0);
	binary(DIF_UREM, UINT64_MAX, 10, 5);
	binary(DIF_AND, 12, 10, 8);
	binary(DIF_OR, 12, 10, 14);
	binary(DIF_XOR, 12, 10, 6);
	binary(DIF_SLL, 1, 65, 2);
	binary(DIF_SRL, UINT64_MAX, 127, 1);
	binary(DIF_SRA, 1ULL << 63, 63, UINT64_MAX);
}

static void
test_division_by_zero(void **st)
{
	(void)st;
	static const enum dif_op ops[] = {DIF_SDIV, DIF_UDIV, DIF_SREM, DIF_UREM};
	for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
		start();
		as_num(&a, 1, 5);
		as_op(&a, ops[i], 0, 1, 2, 0);
		assert_fault(&a, DIF_FAULT_DIVZERO, 0);
	}
}

static void
test_comparison(void **st)
{
	(void)st;
	binary(DIF_SEQ, 3, 3, 1);
	binary(DIF_SEQ, 3, 4, 0);
	binary(DIF_SNE, 3, 4, 1);
	binary(DIF_SLT, UINT64_MAX, 1, 1);
	binary(DIF_SLTU, UINT64_MAX, 1, 0);
	binary(DIF_SLE, 1, 1, 1);
	binary(DIF_SLE, 2, 1, 0);
	binary(DIF_SLEU, 1, UINT64_MAX, 1);
	binary(DIF_SLEU, UINT64_MAX, 1, 0);
}

static void
unary(enum dif_op op, uint64_t x, int32_t imm, uint64_t want)
{
	start();
	as_num(&a, 1, x);
	as_op(&a, op, 0, 1, 0, imm);
	assert_value(&a, want);
}

static void
test_moves_and_bits(void **st)
{
	(void)st;
	unary(DIF_MOV, 42, 0, 42);
	unary(DIF_NOT, 0, 0, UINT64_MAX);
	unary(DIF_NEG, 1ULL << 63, 0, 1ULL << 63);
	unary(DIF_ADDI, 5, -6, UINT64_MAX);
	unary(DIF_EXT, 0x1ff, 8, 0xff);
	unary(DIF_EXT, 0x1ff, -8, UINT64_MAX);
	unary(DIF_EXT, 0x18000, -16, 0xffffffffffff8000u);
	unary(DIF_EXT, 0x18000, 16, 0x8000);
	unary(DIF_EXT, 0x180000000u, -32, 0xffffffff80000000u);
	unary(DIF_EXT, 0x180000000u, 32, 0x80000000u);
	unary(DIF_BFX, 0xabcd, 4 | 8 << 8, 0xbc);
	unary(DIF_BFX, 0xabcd, 4 | 8 << 8 | 1 << 16, (uint64_t)(int8_t)0xbc);
	unary(DIF_BFX, UINT64_MAX - 1, 0 | 64 << 8, UINT64_MAX - 1);
	start();
	as_op(&a, DIF_MOVI, 0, 0, 0, -1);
	assert_value(&a, UINT64_MAX);
	start();
	as_op(&a, DIF_NOP, 0, 0, 0, 0);
	as_num(&a, 0, 0xaaaa);
	as_num(&a, 1, 0x123);
	as_op(&a, DIF_BFI, 0, 1, 0, 4 | 8 << 8);
	assert_value(&a, 0xa23a);
	start();
	as_num(&a, 0, 1);
	as_num(&a, 1, UINT64_MAX);
	as_op(&a, DIF_BFI, 0, 1, 0, 0 | 64 << 8);
	assert_value(&a, UINT64_MAX);
}

/* 1 when the branch is taken */
static void
branch(enum dif_op op, uint64_t x, uint64_t y, bool taken)
{
	start();
	as_num(&a, 1, x);
	as_num(&a, 2, y);
	as_op(&a, DIF_MOVI, 0, 0, 0, 1);
	bool one = op == DIF_BZ || op == DIF_BNZ;
	int32_t from = as_op(&a, op, 0, op == DIF_BA ? 0 : 1, op == DIF_BA || one ? 0 : 2, 0);
	as_op(&a, DIF_MOVI, 0, 0, 0, 0);
	as_land(&a, from);
	assert_value(&a, taken);
}

static void
test_branches(void **st)
{
	(void)st;
	branch(DIF_BA, 0, 0, true);
	branch(DIF_BZ, 0, 0, true);
	branch(DIF_BZ, 1, 0, false);
	branch(DIF_BNZ, 1, 0, true);
	branch(DIF_BNZ, 0, 0, false);
	branch(DIF_BEQ, 1, 1, true);
	branch(DIF_BEQ, 1, 2, false);
	branch(DIF_BNE, 1, 2, true);
	branch(DIF_BNE, 1, 1, false);
	branch(DIF_BLT, UINT64_MAX, 0, true);
	branch(DIF_BLT, 0, 0, false);
	branch(DIF_BLE, 0, 0, true);
	branch(DIF_BLE, 1, 0, false);
	branch(DIF_BLTU, UINT64_MAX, 0, false);
	branch(DIF_BLTU, 0, UINT64_MAX, true);
	branch(DIF_BLEU, 0, 0, true);
	branch(DIF_BLEU, UINT64_MAX, 0, false);
}

static void
test_strings(void **st)
{
	(void)st;
	static const struct {
		const char *x, *y;
		int want;
	} cases[] = {{"a", "a", 0}, {"a", "b", -1}, {"b", "a", 1}, {"", "", 0}, {"", "x", -1}, {"ab", "a", 1},
	    {"a", "\377", -1}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		start();
		as_op(&a, DIF_LDS, 1, 0, 0, as_str(&a, cases[i].x));
		as_op(&a, DIF_LDS, 2, 0, 0, as_str(&a, cases[i].y));
		as_op(&a, DIF_SCMP, 0, 1, 2, 0);
		assert_value(&a, (uint64_t)(int64_t)cases[i].want);
	}
}

/* Strings differ only past strsize: equal. */
static void
test_strings_are_cut(void **st)
{
	(void)st;
	char x[101] = {0}, y[101] = {0};
	memset(x, 'x', 100);
	memset(y, 'x', 100);
	y[64] = 'y';
	start();
	as_op(&a, DIF_LDS, 1, 0, 0, as_str(&a, x));
	as_op(&a, DIF_LDS, 2, 0, 0, as_str(&a, y));
	as_op(&a, DIF_SCMP, 0, 1, 2, 0);
	assert_value(&a, 0);
	start();
	as_op(&a, DIF_LDS, 0, 0, 0, as_str(&a, x));
	struct outcome o = outcome(&a, DK_STRING);
	assert_int_equal(strlen(o.text), 63);
}

static void
test_loads_and_stores(void **st)
{
	(void)st;
	static const struct {
		enum dif_op store, load;
		uint64_t in, out;
	} cases[] = {{DIF_STB, DIF_LDUB, 0x1ff, 0xff}, {DIF_STB, DIF_LDSB, 0x1ff, UINT64_MAX},
	    {DIF_STH, DIF_LDUH, 0x18000, 0x8000}, {DIF_STH, DIF_LDSH, 0x18000, 0xffffffffffff8000u},
	    {DIF_STW, DIF_LDUW, 0x180000000u, 0x80000000u}, {DIF_STW, DIF_LDSW, 0x180000000u, 0xffffffff80000000u},
	    {DIF_STX, DIF_LDX, 0x8000000000000001u, 0x8000000000000001u}};
	for (int region = 0; region < 3; region++)
		for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
			start();
			if (region == 0) {
				as_slot(&a, 0, 24);
				as_op(&a, DIF_CALL, 1, 0, 1, DIF_SUBR_ALLOCA);
			} else if (region == 1) {
				as_op(&a, DIF_LDLA, 1, 0, 0, as_var(&a, DS_LOCAL, DK_BYTES, 24));
			} else {
				as_op(&a, DIF_LDGA, 1, 0, 0, as_var(&a, DS_GLOBAL, DK_BYTES, 24));
			}
			as_num(&a, 2, cases[i].in);
			as_op(&a, cases[i].store, 1, 2, 0, 9);
			as_op(&a, cases[i].load, 0, 1, 0, 9);
			assert_value(&a, cases[i].out);
		}
}

static void
test_copies(void **st)
{
	(void)st;
	/* a string cut to 4 bytes with its NUL, in global memory */
	start();
	as_op(&a, DIF_LDGA, 0, 0, 0, as_var(&a, DS_GLOBAL, DK_STRING, 0));
	as_op(&a, DIF_LDS, 1, 0, 0, as_str(&a, "abcdef"));
	as_op(&a, DIF_STRCPY, 0, 1, 0, 4);
	assert_string_equal(outcome(&a, DK_STRING).text, "abc");
	/* onto itself, one further on */
	start();
	as_op(&a, DIF_LDLA, 0, 0, 0, as_var(&a, DS_LOCAL, DK_STRING, 0));
	as_op(&a, DIF_LDS, 1, 0, 0, as_str(&a, "abcdef"));
	as_op(&a, DIF_STRCPY, 0, 1, 0, 65536);
	as_op(&a, DIF_ADDI, 1, 0, 0, 2);
	as_op(&a, DIF_STRCPY, 0, 1, 0, 65536);
	assert_string_equal(outcome(&a, DK_STRING).text, "cdef");
	/* bytes, from constants to local memory; then zeroes */
	start();
	as_op(&a, DIF_LDLA, 1, 0, 0, as_var(&a, DS_LOCAL, DK_BYTES, 16));
	as_op(&a, DIF_LDS, 2, 0, 0, as_str(&a, "01234567ABCDEFGH"));
	as_op(&a, DIF_MEMCPY, 1, 2, 0, 16);
	as_op(&a, DIF_MOVI, 2, 0, 0, 0);
	as_op(&a, DIF_MEMCPY, 1, 2, 0, 8);
	as_op(&a, DIF_LDX, 0, 1, 0, 4);
	assert_value(&a, 0x4443424100000000u);
	/* global to global */
	start();
	as_op(&a, DIF_LDGA, 1, 0, 0, as_var(&a, DS_GLOBAL, DK_BYTES, 600));
	as_op(&a, DIF_LDGA, 2, 0, 0, as_var(&a, DS_GLOBAL, DK_BYTES, 600));
	as_num(&a, 3, 77);
	as_op(&a, DIF_STW, 1, 3, 0, 596);
	as_op(&a, DIF_MEMCPY, 2, 1, 0, 600);
	as_op(&a, DIF_LDUW, 0, 2, 0, 596);
	assert_value(&a, 77);
}

static void
test_arguments(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	for (int i = 0; i < 3; i++) {
		struct firing f = {.thread = 1, .nargs = 2, .args = {10, 20, 30}};
		start();
		as_op(&a, DIF_LDARG, 0, 0, 0, i);
		assert_int_equal(outcome_with(&a, DK_INT, &c, &f).value, i < 2 ? 10 + 10 * (uint64_t)i : 0);
		start();
		as_num(&a, 1, (uint64_t)i);
		as_op(&a, DIF_LDARGX, 0, 1, 0, 0);
		struct outcome o = outcome_with(&a, DK_INT, &c, &f);
		assert_int_equal(o.fault, i < 2 ? -1 : DIF_FAULT_BADINDEX);
		assert_int_equal(i < 2 ? o.value : o.illval, i < 2 ? 10 + 10 * (uint64_t)i : 2);
	}
}

static void
test_scalars(void **st)
{
	(void)st;
	static const struct {
		enum dobj_scope scope;
		enum dif_op load, store;
	} cases[] = {{DS_GLOBAL, DIF_LDG, DIF_STG}, {DS_LOCAL, DIF_LDL, DIF_STL}, {DS_THREAD, DIF_LDT, DIF_STT}};
	for (size_t i = 0; i < 3; i++) {
		start();
		int32_t v = as_var(&a, cases[i].scope, DK_INT, 8), w = as_var(&a, cases[i].scope, DK_INT, 8);
		as_num(&a, 1, 99);
		as_op(&a, cases[i].store, 0, 1, 0, v);
		as_op(&a, cases[i].load, 0, 0, 0, v);
		as_op(&a, cases[i].load, 1, 0, 0, w);
		as_op(&a, DIF_SLL, 0, 0, 1, 0);
		assert_value(&a, 99);
	}
	start();
	as_num(&a, 1, 5);
	as_op(&a, DIF_STSL, 0, 1, 0, 63);
	as_op(&a, DIF_LDSL, 0, 0, 0, 63);
	assert_value(&a, 5);
}

static void
test_fault(void **st)
{
	(void)st;
	start();
	as_num(&a, 1, 0x1234);
	as_op(&a, DIF_FAULT, 0, 1, 0, DIF_FAULT_LIBRARY);
	assert_fault(&a, DIF_FAULT_LIBRARY, 0x1234);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_arithmetic),
	    cmocka_unit_test(test_division_by_zero),
	    cmocka_unit_test(test_comparison),
	    cmocka_unit_test(test_moves_and_bits),
	    cmocka_unit_test(test_branches),
	    cmocka_unit_test(test_strings),
	    cmocka_unit_test(test_strings_are_cut),
	    cmocka_unit_test(test_loads_and_stores),
	    cmocka_unit_test(test_copies),
	    cmocka_unit_test(test_arguments),
	    cmocka_unit_test(test_scalars),
	    cmocka_unit_test(test_fault),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
