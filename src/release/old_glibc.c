/*
 * What the oldest glibc that the command starts on does not have (old_glibc.sh): functions that were macros then, and
 * names that header files of a newer one give to functions. Only the command is linked with this.
 */
#undef _GNU_SOURCE
#define _DEFAULT_SOURCE /* no names of C23 here: these functions are what stands for them */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Since 2.33. The kernel's structure is the C library's, on 64-bit processors. */
int
fstatat(int fd, const char *path, struct stat *st, int flags)
{
	return (int)syscall(SYS_newfstatat, fd, path, st, flags);
}

int
stat(const char *path, struct stat *st)
{
	return fstatat(AT_FDCWD, path, st, 0);
}

int
lstat(const char *path, struct stat *st)
{
	return fstatat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

int
fstat(int fd, struct stat *st)
{
	return (int)syscall(SYS_fstat, fd, st);
}

/* Since 2.38: what strtol() and sscanf() are called in a program that was compiled with its header files. */
#define STRTO(type, name) \
	type __isoc23_##name(const char *s, char **end, int base); \
	type __isoc23_##name(const char *s, char **end, int base) \
	{ \
		return name(s, end, base); \
	}
STRTO(long, strtol)
STRTO(long long, strtoll)
STRTO(unsigned long, strtoul)
STRTO(unsigned long long, strtoull)

/* The same with arguments of a variable number, from a string and from a file. */
#define SCANF(name, type) \
	int __isoc23_v##name(type from, const char *format, va_list args); \
	int __isoc23_v##name(type from, const char *format, va_list args) \
	{ \
		return v##name(from, format, args); \
	} \
	int __isoc23_##name(type from, const char *format, ...); \
	int __isoc23_##name(type from, const char *format, ...) \
	{ \
		va_list args; \
		va_start(args, format); \
		int n = v##name(from, format, args); \
		va_end(args); \
		return n; \
	}
SCANF(sscanf, const char *)
SCANF(fscanf, FILE *)
