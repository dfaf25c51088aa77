/* What the sources of `hostile` share. */
#ifndef HOSTILE_H
#define HOSTILE_H

enum { NOBODY = 65534, ANOTHER = 65533, MAPPED = 0x5000 }; /* users: each has a budget of its own */

void die(const char *what);
/* Maps the first bytes of a file with code. */
void *map(const char *path);
void drop_rights(unsigned uid);
/* Says "ready" and waits for the end of the input. */
void wait_for_end(void);

/* hostile_fuse.c */
void fuse(const char *elf, const char *dir);

#endif
