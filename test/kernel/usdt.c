/*
 * Probes as <sys/sdt.h> writes them, with arguments of every form, a semaphore and two places of one name.
 * usdt [wait] [N]: fires shop:order-placed N times and shop:forms once; `wait` says "ready" and waits for a line first.
 * It prints how often shop:watched, which has a semaphore, was on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOTE(provider, name, semaphore, args) \
	"990: nop\n" \
	".pushsection .note.stapsdt,\"?\",\"note\"\n" \
	".balign 4\n.4byte 992f-991f, 994f-993f, 3\n" \
	"991: .asciz \"stapsdt\"\n992: .balign 4\n" \
	"993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte " semaphore "\n" \
	".asciz \"" provider "\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n994: .balign 4\n.popsection\n" \
	".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base,1\n.popsection\n.endif\n"

volatile unsigned short watched_semaphore __attribute__((section(".probes"), used)) = 0;
long global_number = 0x123456789abcdef0;
static const long table[4] = {10, 20, 30, 40};

#ifdef __aarch64__
#define OF(arm64, x86_64) arm64
__attribute__((noinline)) void
place_order(long i, const char *what)
{
	register long a0 __asm__("x0") = i;
	register const char *a1 __asm__("x1") = what;
	__asm__ volatile(NOTE("shop", "order__placed", "0", "-8@x0 8@x1") : : "r"(a0), "r"(a1));
}

/* There is no register of bits 8 … 15 here, and no name in an address. */
__attribute__((noinline)) void
forms(void)
{
	register const long *a1 __asm__("x1") = table;
	register const long *a5 __asm__("x5") = &global_number;
	__asm__ volatile(
	    "sub sp, sp, #256\nadd x6, sp, #128\n"
	    "mov x0, #-5\nstr x0, [x6, #-16]\nmov w0, #-6\nstr w0, [sp, #8]\n"
	    "mov x0, #-1\nldr x3, =0x8182838485868788\nmov w4, #0x87\nmov x2, #2\n" NOTE("shop", "forms", "0",
		"-8@x0 4@w3 -2@w3 1@w3 1@w4 -4@-7 -8@[x6, -16] -4@[sp, 8] 8@[x1, x2, lsl 3] 8@[x5]") "add sp, sp, #256\n"
	    :
	    : "r"(a1), "r"(a5)
	    : "x0", "x2", "x3", "x4", "x6", "memory");
}

#else
#define OF(arm64, x86_64) x86_64
__attribute__((noinline)) void
place_order(long i, const char *what)
{
	__asm__ volatile(NOTE("shop", "order__placed", "0", "-8@%%rdi 8@%%rsi") : : "D"(i), "S"(what));
}

__attribute__((noinline)) void
forms(void)
{
	__asm__ volatile(
	    "push %%rbp\nsub $256, %%rsp\nmov %%rsp, %%rbp\n"
	    "movq $-5, -16(%%rbp)\nmovl $-6, 8(%%rbp)\n"
	    "mov $-1, %%rax\nmov $0x8182838485868788, %%rbx\n"
	    "mov %0, %%rcx\nmov $2, %%edx\n" NOTE("shop", "forms", "0",
		"-8@%%rax 4@%%ebx -2@%%bx 1@%%bl 1@%%bh -4@$-7 -8@-16(%%rbp) -4@8(%%rbp) 8@(%%rcx,%%rdx,8) 8@global_number(%%rip)") "add $256, %%rsp\npop %%rbp\n"
	    :
	    : "r"(table)
	    : "rax", "rbx", "rcx", "rdx", "memory");
}

#endif

__attribute__((noinline)) void
twice(int first)
{
	if (first)
		__asm__ volatile(NOTE("shop", "twice", "0", OF("4@1", "4@$1")) :);
	else
		__asm__ volatile(NOTE("shop", "twice", "0", OF("4@2", "4@$2")) :);
}

__attribute__((noinline)) int
watched(void)
{
	int on = watched_semaphore != 0;
#ifdef __aarch64__
	register int a0 __asm__("w0") = on;
	__asm__ volatile(NOTE("shop", "watched", "watched_semaphore", "-4@w0") : : "r"(a0));
#else
	__asm__ volatile(NOTE("shop", "watched", "watched_semaphore", "-4@%%edi") : : "D"(on));
#endif
	return on;
}

__attribute__((noinline)) void
unreadable(void)
{
	__asm__ volatile(NOTE("shop", "price", "0", OF("4@1 8f@d0", "4@$1 8f@%%xmm0")) :);
}

int
main(int argc, char **argv)
{
	char line[16];
	int on = 0;
	if (argc > 1 && strcmp(argv[1], "wait") == 0) {
		if (write(1, "ready\n", 6) < 0 || read(0, line, sizeof line) < 0)
			return 1;
		argv++, argc--;
	}
	long n = argc > 1 ? atol(argv[1]) : 1;
	for (long i = 0; i < n; i++)
		place_order(i, "book");
	forms();
	twice(1);
	twice(0);
	for (int i = 0; i < 3; i++)
		on += watched();
	unreadable();
	printf("on %d\n", on);
	return 0;
}
