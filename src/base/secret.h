/* A secret on the command line, which everybody on the machine can read. It is copied and then overwritten there. */
#ifndef ET_BASE_SECRET_H
#define ET_BASE_SECRET_H

#include <string.h>

/* Returns a copy on the heap, or NULL if memory ran out. */
static inline char *
secret_take(char *arg)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): an argument of the command */
	char *copy = strdup(arg);
	memset(arg, 'x', strlen(arg));
	return copy;
}

#endif
