/*
 * Opening a file to write to. A name in a folder that others can write to may lead elsewhere: somebody's symbolic link
 * would have root write to a file of his choice. So links are followed only when we or root made them, and in a folder
 * that everybody can write to (/tmp) a file that somebody else has put there is not taken. Devices and pipes that we
 * were given (/dev/stdout) are as ever.
 */
#ifndef ET_BASE_OUTFILE_H
#define ET_BASE_OUTFILE_H

#include "base/why.h"

#include <stddef.h>
#include <stdio.h>

/* flags: O_APPEND, O_TRUNC or 0. The file is made when it is not there. -1: `why` says it in words. */
int out_open(const char *path, int flags, struct why *why);
/* The same as a stream; NULL. */
FILE *out_fopen(const char *path, int flags, struct why *why);

#endif
