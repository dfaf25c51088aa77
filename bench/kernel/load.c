/*
 * The work that the kernel bench traces. load syscall|function|usdt N OUT runs it N times and writes the ns of one to
 * OUT. It takes the quickest 500 in a row, which nothing else on the machine has disturbed. load where function|usdt:
 * prints the offset in this file of what is traced.
 */
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* It begins like a normal function. */
__attribute__((naked)) void
work_function(long n, const char *key)
{
	__asm__("push %rbp; mov %rsp, %rbp; pop %rbp; ret");
}

__attribute__((noinline)) static void
work_usdt(long n, const char *key)
{
	DTRACE_PROBE2(bench, hit, n, key);
}

static double
now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Finds the offset in the file of the probe, from its note, whose first two words are location and base. */
static int
where(const char *what)
{
	extern const char __executable_start[];
	const ElfW(Ehdr) *eh = (const void *)__executable_start;
	const ElfW(Phdr) *ph = (const void *)(__executable_start + eh->e_phoff);
	uintptr_t at = (uintptr_t)work_function - (uintptr_t)__executable_start;
	if (strcmp(what, "usdt") == 0) {
		/* The nop of the probe: the first 0x90 of its function. */
		const unsigned char *p = (const unsigned char *)(uintptr_t)work_usdt;
		for (int i = 0; i < 64 && *p != 0x90; i++)
			p++;
		at = (uintptr_t)p - (uintptr_t)__executable_start;
	}
	for (int i = 0; i < eh->e_phnum; i++)
		if (ph[i].p_type == PT_LOAD && at >= ph[i].p_vaddr && at < ph[i].p_vaddr + ph[i].p_memsz)
			printf("%lu\n", (unsigned long)(at - ph[i].p_vaddr + ph[i].p_offset));
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "where") == 0)
		return where(argv[2]);
	if (argc != 4)
		return 2;
	static const char *const keys[] = {"red", "green", "blue", "a longer name of a colour"};
	const char *what = argv[1];
	long n = 500, parts = atol(argv[2]) / n;
	double best = 0;
	for (long part = 0; part < parts; part++) {
		double from = now();
		if (strcmp(what, "syscall") == 0)
			for (long i = 0; i < n; i++)
				syscall(SYS_getppid);
		else if (strcmp(what, "usdt") == 0)
			for (long i = 0; i < n; i++)
				work_usdt(i, keys[i & 3]);
		else
			for (long i = 0; i < n; i++)
				work_function(i, keys[i & 3]);
		double each = (now() - from) / (double)n;
		if (part == 0 || each < best)
			best = each;
	}
	FILE *f = fopen(argv[3], "w");
	if (!f)
		return 1;
	fprintf(f, "%.1f\n", best);
	return fclose(f) != 0;
}
