/*
 * What the library has itself instead of the C library.
 *
 * It is one file for every node: with glibc from 2.17 on and with musl. So it is linked with no library at all, and
 * takes what it needs from the C library that the VM has loaded, by names that each of them has. These are the names
 * that some of them do not have: calls of the kernel that older ones do not offer, and the names that the header files
 * of a newer one give to old functions. Nobody else sees these functions. test/erlang/tst.plain-library.sh checks the
 * names that are left.
 *
 * There is one more rule for glibc: a name without a version is bound to the oldest version of the function. Do not use
 * functions that changed since then, as pthread_cond_wait() did: base/wake.h has what is used instead.
 */
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/types.h>

long syscall(long number, ...);

int memfd_create(const char *name, unsigned flags);
int
memfd_create(const char *name, unsigned flags)
{
	return (int)syscall(SYS_memfd_create, name, flags);
}

ssize_t getrandom(void *to, size_t size, unsigned flags);
ssize_t
getrandom(void *to, size_t size, unsigned flags)
{
	return syscall(SYS_getrandom, to, size, flags);
}

pid_t gettid(void);
pid_t
gettid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

/* The header files rename a function with an asm label. One of our own asks for the plain name. */
#define PLAIN(type, name) \
	extern type plain_##name(const char *text, char **end, int base) __asm__(#name); \
	type __isoc23_##name(const char *text, char **end, int base); \
	type __isoc23_##name(const char *text, char **end, int base) \
	{ \
		return plain_##name(text, end, base); \
	}
PLAIN(long, strtol)
PLAIN(long long, strtoll)
PLAIN(unsigned long, strtoul)
PLAIN(unsigned long long, strtoull)

extern int plain_vsscanf(const char *text, const char *format, va_list args) __asm__("vsscanf");
#define SCAN(name) \
	int name(const char *text, const char *format, ...); \
	int name(const char *text, const char *format, ...) \
	{ \
		va_list args; \
		va_start(args, format); \
		int n = plain_vsscanf(text, format, args); \
		va_end(args); \
		return n; \
	}
SCAN(__isoc99_sscanf)
SCAN(__isoc23_sscanf)
