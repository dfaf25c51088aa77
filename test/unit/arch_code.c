/* Lengths of instructions, of each kind of encoding; expected values are those of the processor's manual. */
#include "arch/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	const char *bytes;
	unsigned len;
} cases[] = {
    {"\x90", 1},                                          /* nop */
    {"\x55", 1},                                          /* push %rbp */
    {"\xc3", 1},                                          /* ret */
    {"\xf3\x0f\x1e\xfa", 4},                              /* endbr64 */
    {"\x48\x89\xe5", 3},                                  /* mov %rsp,%rbp */
    {"\x48\x83\xec\x08", 4},                              /* sub $8,%rsp */
    {"\x48\x81\xec\x00\x01\x00\x00", 7},                  /* sub $256,%rsp */
    {"\x66\x81\xc0\x34\x12", 5},                          /* add $0x1234,%ax */
    {"\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08", 10},     /* movabs */
    {"\xb8\x01\x00\x00\x00", 5},                          /* mov $1,%eax */
    {"\x8b\x44\x24\x10", 4},                              /* mov 16(%rsp),%eax */
    {"\x8b\x04\x25\x00\x00\x00\x00", 7},                  /* mov 0,%eax */
    {"\x8b\x05\x00\x00\x00\x00", 6},                      /* mov (%rip),%eax */
    {"\x8b\x80\x00\x00\x00\x00", 6},                      /* mov 0x0(%rax),%eax */
    {"\x8b\x84\x80\x00\x00\x00\x00", 7},                  /* with SIB and a long displacement */
    {"\xe8\x00\x00\x00\x00", 5},                          /* call */
    {"\x74\x05", 2},                                      /* je */
    {"\x0f\x84\x00\x00\x00\x00", 6},                      /* je, far */
    {"\xf6\x00\x01", 3},                                  /* testb $1,(%rax) */
    {"\xf7\xc0\x01\x00\x00\x00", 6},                      /* test $1,%eax */
    {"\xf7\xd8", 2},                                      /* neg %eax */
    {"\x66\x0f\xf6\xc1", 4},                              /* psadbw: no immediate, though f6 */
    {"\xc8\x10\x00\x00", 4},                              /* enter */
    {"\xa1\x01\x02\x03\x04\x05\x06\x07\x08", 9},          /* movabs address */
    {"\x0f\x3a\x0f\xc1\x08", 5},                          /* palignr */
    {"\x0f\x38\x00\xc1", 4},                              /* pshufb */
    {"\xc5\xf8\x77", 3},                                  /* vzeroupper */
    {"\xc5\xfd\x70\xc1\x01", 5},                          /* vpshufd */
    {"\xc4\xe3\x7d\x39\xc1\x01", 6},                      /* vextracti128 */
    {"\xc4\xe2\x7d\x18\x05\x00\x00\x00\x00", 9},          /* vbroadcastss (%rip) */
    {"\x62\xf1\xfe\x48\x6f\x46\x01", 7},                  /* vmovdqu64 64(%rsi),%zmm0 */
    {"\x66\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00", 11}, /* long nop */
    {"\xf0\x48\x0f\xb1\x0f", 5},                          /* lock cmpxchg */
    {"\x06", 0},                                          /* not in this mode */
    {"\x0f\x04", 0},
};

static void
lengths(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t code[32] = {0};
		memcpy(code, cases[i].bytes, cases[i].len ? cases[i].len : 2);
		if (x86_length(code, sizeof code) != cases[i].len)
			fail_msg("case %u: %u, not %u", i, x86_length(code, sizeof code), cases[i].len);
		/* What is cut off is no instruction. */
		for (unsigned n = 0; n < cases[i].len; n++)
			assert_int_equal(x86_length(code, n), 0);
	}
}

static void
beginnings(void **state)
{
	static const uint8_t code[] = {0x55, 0x48, 0x89, 0xe5, 0xb8, 1, 0, 0, 0, 0xc3};
	static const size_t good[] = {0, 1, 4, 9};
	(void)state;
	for (size_t at = 0, k = 0; at < 12; at++) {
		bool want = k < 4 && good[k] == at;
		k += want;
		assert_int_equal(arch_x86_64.begins(code, sizeof code, at), want);
	}
}

/* On arm64 every fourth byte is one, up to the end. */
static void
beginnings_arm64(void **state)
{
	static const uint8_t code[12];
	(void)state;
	for (size_t at = 0; at < 20; at++)
		assert_int_equal(arch_aarch64.begins(code, sizeof code, at), at == 0 || at == 4 || at == 8);
}

/* The rule of x86-64's linkers for jumps to other libraries, whole and with any number; nothing that is like it. */
static void
jumps(void **state)
{
	uint8_t rule[] = {0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22, 0};
	enum { LEN = sizeof rule - 1, NUMBER = 6 };
	(void)state;
	assert_int_equal(arch_x86_64.jumps(rule, LEN), 11);
	assert_int_equal(arch_aarch64.jumps(rule, LEN), -1);
	for (size_t n = 0; n <= sizeof rule; n++)
		assert_int_equal(arch_x86_64.jumps(rule, n), n == LEN ? 11 : -1);
	for (unsigned i = 0; i < LEN; i++)
		for (unsigned v = 0; v < 256; v++) {
			uint8_t was = rule[i];
			rule[i] = (uint8_t)v;
			int want = v == was ? 11 : i == NUMBER && v >= 0x30 && v <= 0x3f ? (int)v - 0x30 : -1;
			assert_int_equal(arch_x86_64.jumps(rule, LEN), want);
			rule[i] = was;
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(lengths), cmocka_unit_test(beginnings),
	    cmocka_unit_test(beginnings_arm64), cmocka_unit_test(jumps)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
