/* A secret on the command line, which everybody on the machine can read: it is taken and overwritten there. */
#ifndef ET_BASE_SECRET_H
#define ET_BASE_SECRET_H

#include <string.h>

/* A copy on the heap; NULL: out of memory. */
static inline char *
secret_take(char *arg)
{
	char *copy = strdup(arg);
	memset(arg, 'x', strlen(arg));
	return copy;
}

#endif
