/* Unwinding data as a table: of this program, and of damaged files. */
#include "sym/unwind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fcntl.h>

#include <cmocka.h>

/* Where this program's code is: its offset in the file, and in memory. */
static bool
own_code(uint64_t *start, uint64_t *off)
{
	char line[512];
	FILE *f = fopen("/proc/self/maps", "re");
	bool found = false;
	uint64_t here = (uint64_t)(uintptr_t)own_code;
	while (f && !found && fgets(line, sizeof line, f)) {
		unsigned long long from, to, at;
		if (sscanf(line, "%llx-%llx %*s %llx", &from, &to, &at) == 3 && here >= from && here < to) {
			*start = from;
			*off = at;
			found = true;
		}
	}
	if (f)
		fclose(f);
	return found;
}

static const struct unwind_row *
row_at(const struct unwind *u, uint64_t pc)
{
	const struct unwind_row *best = NULL;
	for (size_t i = 0; i < u->n && u->rows[i].pc <= pc; i++)
		best = &u->rows[i];
	return best;
}

/* The callers of a function, by the table, are what the compiler says they are. */
__attribute__((noinline)) static void
inner(const struct unwind *u, uint64_t start, uint64_t off, uint64_t caller)
{
#ifdef __x86_64__
	uint64_t here, sp, bp, ret;
	__asm__ volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2" : "=r"(here), "=r"(sp), "=r"(bp));
	const struct unwind_row *r = row_at(u, here - start + off + u->delta);
	assert_non_null(r);
	assert_true(r->base == UNWIND_SP || r->base == UNWIND_BP);
	uint64_t cfa = (r->base == UNWIND_SP ? sp : bp) + (uint64_t)(int64_t)r->cfa;
	memcpy(&ret, (void *)(uintptr_t)(cfa - 8), sizeof ret);
	assert_true(ret == (uint64_t)(uintptr_t)__builtin_return_address(0));
	assert_true(ret > caller && ret - caller < 4096);
#else
	(void)u, (void)start, (void)off, (void)caller, (void)row_at;
	skip();
#endif
}

static void
own_table(void **state)
{
	struct unwind u;
	struct spending sp = spend_begin(NULL);
	uint64_t start = 0, off = 0;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	(void)state;
	assert_true(fd >= 0 && own_code(&start, &off));
	assert_true(unwind_read(&u, fd, off, &sp));
	for (size_t i = 1; i < u.n; i++)
		assert_true(u.rows[i - 1].pc < u.rows[i].pc);
	inner(&u, start, off, (uint64_t)(uintptr_t)own_table);
	close(fd);
	free(u.rows);
}

/* Bytes of the unwinding data change, and the file ends early: it is read or refused. */
static void
damaged(void **state)
{
	struct stat st;
	uint64_t start = 0, off = 0;
	unsigned seed = 1, taken = 0;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), to = memfd_create("damaged", MFD_CLOEXEC);
	(void)state;
	assert_true(fd >= 0 && to >= 0 && own_code(&start, &off) && fstat(fd, &st) == 0);
	size_t n = st.st_size < 4 << 20 ? (size_t)st.st_size : 4 << 20;
	unsigned char *copy = malloc(n);
	for (unsigned i = 0; i < 60; i++) {
		struct unwind u;
		struct spending sp = spend_begin(NULL);
		assert_int_equal(pread(fd, copy, n, 0), (ssize_t)n);
		for (unsigned k = 0; k < 2000; k++) {
			seed = seed * 1103515245 + 12345;
			size_t at = 1024 + (seed >> 4) % (n - 1024);
			seed = seed * 1103515245 + 12345;
			copy[at] = (unsigned char)(seed >> 16);
		}
		size_t len = i % 3 == 0 ? n * (i + 1) / 64 : n;
		assert_int_equal(ftruncate(to, 0), 0);
		assert_int_equal(pwrite(to, copy, len, 0), (ssize_t)len);
		if (unwind_read(&u, to, off, &sp)) {
			for (size_t r = 1; r < u.n; r++)
				assert_true(u.rows[r - 1].pc < u.rows[r].pc);
			taken++;
		}
		free(u.rows);
	}
	assert_true(taken > 0);
	free(copy);
	close(to);
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(own_table), cmocka_unit_test(damaged)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
