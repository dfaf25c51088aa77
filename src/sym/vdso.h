/* The code that the kernel maps into every process (vDSO): an ELF file in memory, the same in all processes of a kind.
 */
#ifndef ET_SYM_VDSO_H
#define ET_SYM_VDSO_H

#include <stddef.h>

enum { VDSO_MOST = 65536 }; /* bytes; it has two to four pages */

/* Returns the one of this process, with its size; NULL if there is none. */
const void *vdso_image(size_t *len);
/* Returns a descriptor of a file with the same bytes, which the caller closes; -1 if there is none. */
int vdso_file(void);

#endif
