/* The text of USDT arguments, form by form. */
#include "arch/x86_64.h"

#include "arch/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PC = 0x1000, VAR = 0x4010, NO = USDT_NOREG };

static bool
symbol(void *arg, const char *name, uint64_t *addr)
{
	(void)arg;
	*addr = VAR;
	return strcmp(name, "var") == 0 || strcmp(name, "_x.1") == 0;
}

static const struct {
	const char *text;
	struct usdt_arg want;
} cases[] = {
    {"8@%rdi", {USDT_REG, 8, false, 0, 14, NO, 0, 0}},
    {"-8@%r15", {USDT_REG, 8, true, 0, 0, NO, 0, 0}},
    {"-4@%edi", {USDT_REG, 4, true, 0, 14, NO, 0, 0}},
    {"4@%r10d", {USDT_REG, 4, false, 0, 7, NO, 0, 0}},
    {"-2@%ax", {USDT_REG, 2, true, 0, 10, NO, 0, 0}},
    {"2@%r9w", {USDT_REG, 2, false, 0, 8, NO, 0, 0}},
    {"1@%sil", {USDT_REG, 1, false, 0, 13, NO, 0, 0}},
    {"-1@%r8b", {USDT_REG, 1, true, 0, 9, NO, 0, 0}},
    {"1@%ah", {USDT_REG, 1, false, 8, 10, NO, 0, 0}},
    {"1@%dh", {USDT_REG, 1, false, 8, 12, NO, 0, 0}},
    {"8@%rsp", {USDT_REG, 8, false, 0, 19, NO, 0, 0}},
    {"4@$5", {USDT_CONST, 4, false, 0, NO, NO, 0, 5}},
    {"-4@$-1", {USDT_CONST, 4, true, 0, NO, NO, 0, -1}},
    {"8@$0x7fffffffffffffff", {USDT_CONST, 8, false, 0, NO, NO, 0, INT64_MAX}},
    {"-4@-20(%rbp)", {USDT_MEM, 4, true, 0, 4, NO, 0, -20}},
    {"8@(%rax)", {USDT_MEM, 8, false, 0, 10, NO, 0, 0}},
    {"8@(%rax,%rbx,4)", {USDT_MEM, 8, false, 0, 10, 5, 2, 0}},
    {"8@16(%rax,%rbx)", {USDT_MEM, 8, false, 0, 10, 5, 0, 16}},
    {"1@8(,%r12,8)", {USDT_MEM, 1, false, 0, NO, 3, 3, 8}},
    {"8@var(%rip)", {USDT_MEM, 8, false, 0, PTW_IP, NO, 0, VAR - PC}},
    {"8@var+8(%rip)", {USDT_MEM, 8, false, 0, PTW_IP, NO, 0, VAR - PC + 8}},
    {"4@16+var(%rip)", {USDT_MEM, 4, false, 0, PTW_IP, NO, 0, VAR - PC + 16}},
    {"4@-4+_x.1(%rip)", {USDT_MEM, 4, false, 0, PTW_IP, NO, 0, VAR - PC - 4}},
    {"4@var", {USDT_MEM, 4, false, 0, PTW_IP, NO, 0, VAR - PC}},
    {"8@var(,%rax,8)", {USDT_MEM, 8, false, 0, PTW_IP, 10, 3, VAR - PC}},
    {"%rdi", {USDT_REG, 8, false, 0, 14, NO, 0, 0}},
};

static void
forms(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct usdt_arg a;
		const struct usdt_arg *w = &cases[i].want;
		assert_int_equal(usdt_parse(&arch_x86_64, cases[i].text, PC, &a, 1, symbol, NULL), 1);
		if (a.kind != w->kind || a.size != w->size || a.is_signed != w->is_signed || a.shift != w->shift ||
		    a.base != w->base || a.index != w->index || a.scale != w->scale || a.disp != w->disp)
			fail_msg("%s: kind %d size %d signed %d shift %d base %d index %d scale %d disp %lld",
			    cases[i].text, a.kind, a.size, a.is_signed, a.shift, a.base, a.index, a.scale,
			    (long long)a.disp);
	}
}

static void
unreadable(void **state)
{
	static const char *const texts[] = {"8f@%xmm0", "4@%xmm1", "3@%rax", "8@", "8@$", "8@%", "8@%nosuch", "8@(%rax",
	    "8@(%rax,%rbx,3)", "8@(%rax)x", "8@nosuch(%rip)", "8@4(%rip)", "8@(%ah)", "8@%fs:16", "8@a+b(%rip)",
	    "16@%rax", "8@99999999999999999999999(%rax)", "8@$sym", "-@%rax"};
	(void)state;
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct usdt_arg a;
		assert_int_equal(usdt_parse(&arch_x86_64, texts[i], PC, &a, 1, symbol, NULL), 1);
		if (a.kind != USDT_NONE)
			fail_msg("%s is taken for kind %d", texts[i], a.kind);
	}
}

static void
several(void **state)
{
	struct usdt_arg a[4];
	(void)state;
	assert_int_equal(usdt_parse(&arch_x86_64, "", PC, a, 4, NULL, NULL), 0);
	assert_int_equal(usdt_parse(&arch_x86_64, "  8@%rax  junk 4@$7 ", PC, a, 4, NULL, NULL), 3);
	assert_int_equal(a[0].kind, USDT_REG);
	assert_int_equal(a[1].kind, USDT_NONE);
	assert_int_equal(a[2].disp, 7);
	assert_int_equal(usdt_parse(&arch_x86_64, "8@%rax 8@%rax 8@%rax 8@%rax 8@%rax", PC, a, 4, NULL, NULL), 4);
}

/* Arm64 writes operands in another way: words of struct pt_regs are x0 … x30 and the stack pointer. */
static void
forms_of_aarch64(void **state)
{
	static const struct {
		const char *text;
		struct usdt_arg want;
	} arm[] = {
	    {"8@x0", {USDT_REG, 8, false, 0, 0, NO, 0, 0}},
	    {"-4@w30", {USDT_REG, 4, true, 0, 30, NO, 0, 0}},
	    {"-4@x19", {USDT_REG, 4, true, 0, 19, NO, 0, 0}},
	    {"8@sp", {USDT_REG, 8, false, 0, 31, NO, 0, 0}},
	    {"4@5", {USDT_CONST, 4, false, 0, NO, NO, 0, 5}},
	    {"-8@-7", {USDT_CONST, 8, true, 0, NO, NO, 0, -7}},
	    {"8@[sp]", {USDT_MEM, 8, false, 0, 31, NO, 0, 0}},
	    {"-4@[sp, 60]", {USDT_MEM, 4, true, 0, 31, NO, 0, 60}},
	    {"8@[x29,-16]", {USDT_MEM, 8, false, 0, 29, NO, 0, -16}},
	    {"8@[x0, #8]", {USDT_MEM, 8, false, 0, 0, NO, 0, 8}},
	    {"1@[x1, x2]", {USDT_MEM, 1, false, 0, 1, 2, 0, 0}},
	    {"4@[x1, x22, lsl 2]", {USDT_MEM, 4, false, 0, 1, 22, 2, 0}},
	    {"4@[x1, x22, lsl #3]", {USDT_MEM, 4, false, 0, 1, 22, 3, 0}},
	};
	static const char *const wrong[] = {"8@x31", "8@x", "8@[x0", "8@[x0]]", "8@[sp, sp]", "8@[x0, x1, lsl 4]",
	    "8@[x0, x1, ror 1]", "3@x0", "8f@x0", "8@%rax", "8@q0", "8@x01", "8@[,8]", "8@[x0, :lo12:foo]", "8@5x"};
	struct usdt_arg a[3];
	(void)state;
	for (unsigned i = 0; i < sizeof arm / sizeof *arm; i++) {
		const struct usdt_arg *w = &arm[i].want;
		assert_int_equal(usdt_parse(&arch_aarch64, arm[i].text, PC, a, 3, NULL, NULL), 1);
		if (a->kind != w->kind || a->size != w->size || a->is_signed != w->is_signed || a->base != w->base ||
		    a->index != w->index || a->scale != w->scale || a->disp != w->disp || a->shift != w->shift)
			fail_msg("%s", arm[i].text);
	}
	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_true(usdt_parse(&arch_aarch64, wrong[i], PC, a, 3, NULL, NULL) >= 1);
		if (a->kind != USDT_NONE)
			fail_msg("%s was understood", wrong[i]);
	}
	assert_int_equal(usdt_parse(&arch_aarch64, " 8@[sp, 16]  -4@w1 4@7", PC, a, 3, NULL, NULL), 3);
	assert_int_equal(a[0].disp, 16);
	assert_int_equal(a[1].base, 1);
	assert_int_equal(a[2].disp, 7);
	assert_int_equal(usdt_parse(&arch_aarch64, "", PC, a, 3, NULL, NULL), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(forms), cmocka_unit_test(forms_of_aarch64),
	    cmocka_unit_test(unreadable), cmocka_unit_test(several)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
