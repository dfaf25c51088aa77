/*
 * Linked into a test build of the NIF with --wrap: the n-th allocation of the library fails. The test, which is other
 * code in the same VM, chooses which by writing to the file that ERLTRACE_OOM names: {which, 0 for none; how many so
 * far}.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic(unsigned long) *control; /* [2] */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t m);
void *__real_realloc(void *p, size_t n);
void *__real_aligned_alloc(size_t align, size_t n);
char *__real_strdup(const char *s);
void *__real_mmap(void *addr, size_t n, int prot, int flags, int fd, off_t off);
int __real_memfd_create(const char *name, unsigned flags);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t m);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_aligned_alloc(size_t align, size_t n);
char *__wrap_strdup(const char *s);
void *__wrap_mmap(void *addr, size_t n, int prot, int flags, int fd, off_t off);
int __wrap_memfd_create(const char *name, unsigned flags);

__attribute__((constructor)) static void
map_control(void)
{
	const char *name = getenv("ERLTRACE_OOM");
	int fd = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
	void *p = fd >= 0 ? __real_mmap(NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
	if (p != MAP_FAILED)
		control = p;
	if (fd >= 0)
		close(fd);
}

static bool
fails(void)
{
	return control && atomic_fetch_add(&control[1], 1) + 1 == atomic_load(&control[0]);
}

void *
__wrap_malloc(size_t n)
{
	return fails() ? NULL : __real_malloc(n);
}

void *
__wrap_calloc(size_t n, size_t m)
{
	return fails() ? NULL : __real_calloc(n, m);
}

void *
__wrap_realloc(void *p, size_t n)
{
	return fails() ? NULL : __real_realloc(p, n);
}

void *
__wrap_aligned_alloc(size_t align, size_t n)
{
	return fails() ? NULL : __real_aligned_alloc(align, n);
}

char *
__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

void *
__wrap_mmap(void *addr, size_t n, int prot, int flags, int fd, off_t off)
{
	if (!fails())
		return __real_mmap(addr, n, prot, flags, fd, off);
	errno = ENOMEM;
	return MAP_FAILED;
}

int
__wrap_memfd_create(const char *name, unsigned flags)
{
	if (!fails())
		return __real_memfd_create(name, flags);
	errno = ENFILE;
	return -1;
}
