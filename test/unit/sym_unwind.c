/* Unwinding data as a table: of this program, and of damaged files. */
#include "sym/unwind.h"

#include "arch/arch.h"

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
	uint64_t here, sp, fp, lr = 0, ret;
#ifdef __x86_64__
	__asm__ volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2" : "=r"(here), "=r"(sp), "=r"(fp));
#elif defined __aarch64__
	__asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29\n\tmov %3, x30"
			 : "=r"(here), "=r"(sp), "=r"(fp), "=r"(lr));
#endif
	const struct unwind_row *r = row_at(u, here - start + off + u->delta);
	assert_non_null(r);
	assert_true(unwind_base(r) == UNWIND_SP || unwind_base(r) == UNWIND_FP);
	assert_true(r->ra != UNWIND_LOST);
	uint64_t cfa = (unwind_base(r) == UNWIND_SP ? sp : fp) + (uint64_t)(int64_t)unwind_distance(r);
	if (r->ra)
		memcpy(&ret, (void *)(uintptr_t)(cfa + (uint64_t)(int64_t)r->ra), sizeof ret);
	else
		ret = lr;
	ret &= ((uint64_t)1 << ARCH_USER_BITS) - 1; /* it may be signed */
	assert_true(ret == (uint64_t)(uintptr_t)__builtin_return_address(0));
	assert_true(ret > caller && ret - caller < 4096);
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

/* The function that has no caller also says that its stack is a gigabyte away: that counts for nothing. */
static void
far_end(void **state)
{
	static const unsigned char end[] = {0x07, ARCH_DW_RA, 0, 0, 0, 0, 0}, /* undefined, nop … */
	    far[] = {0x07, ARCH_DW_RA, 0x13, 0x81, 0x80, 0x80, 0x40}; /* undefined, def_cfa_offset_sf 1 - 2^27 */
	struct unwind u;
	struct spending sp = spend_begin(NULL);
	struct stat st;
	uint64_t start = 0, off = 0;
	unsigned changed = 0, ends = 0;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), to = memfd_create("far", MFD_CLOEXEC);
	(void)state;
	assert_true(fd >= 0 && to >= 0 && own_code(&start, &off) && fstat(fd, &st) == 0);
	size_t n = (size_t)st.st_size;
	unsigned char *copy = malloc(n);
	assert_non_null(copy);
	assert_int_equal(pread(fd, copy, n, 0), (ssize_t)n);
	for (unsigned char *at = copy; (at = memmem(at, (size_t)(copy + n - at), end, sizeof end)); changed++)
		memcpy(at, far, sizeof far);
	assert_int_equal(pwrite(to, copy, n, 0), (ssize_t)n);
	assert_true(unwind_read(&u, to, off, &sp));
	for (size_t i = 0; i < u.n; i++)
		if (unwind_base(&u.rows[i]) == UNWIND_END) {
			assert_int_equal(unwind_distance(&u.rows[i]), 0);
			ends++;
		}
	assert_true(ends > 0 && changed > 0);
	free(u.rows);
	free(copy);
	close(to);
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(own_table), cmocka_unit_test(damaged), cmocka_unit_test(far_end)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
