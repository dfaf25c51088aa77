/*
 * Opens a file for writing. In a folder that others can write to, a name may lead elsewhere: through somebody's
 * symbolic link, root could be made to write to a file of that person's choice. So links are followed only if we or
 * root made them. In a folder that everybody can write to (/tmp), a file that belongs to somebody else is refused.
 * Devices and pipes that we were given (/dev/stdout) work as usual.
 */
#ifndef ET_BASE_OUTFILE_H
#define ET_BASE_OUTFILE_H

#include "base/why.h"

#include <stddef.h>
#include <stdio.h>

/* flags: O_APPEND, O_TRUNC or 0. The file is made if it does not exist. Returns -1 on failure; `why` says it in
 * words. */
int out_open(const char *path, int flags, struct why *why);
/* The same for a stream; returns NULL on failure. */
FILE *out_fopen(const char *path, int flags, struct why *why);

#endif
