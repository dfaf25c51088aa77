/*
 * Files of other people's processes may be on a file system that one of those processes serves (FUSE), alone or below
 * an overlay. Any call about such a file, even closing it, may take as long as that process likes, and only SIGKILL
 * ends it. So a thread makes the calls. We wait for it only within the budget's time, and only until somebody wants to
 * end. A thread that does not come back is left alone: it ends with its call, or with this program.
 *
 * A file on FUSE is not read unless the budget allows it, as the budget of a named process does. Files on file systems
 * that the kernel serves from a disk or from memory are read without the thread once they are open.
 *
 * With a budget without a `slow` these are the plain system calls.
 */
#ifndef ET_SYM_SLOW_H
#define ET_SYM_SLOW_H

#include "sym/budget.h"

#include <sys/stat.h>
#include <sys/types.h>

struct slow;
struct slow *slow_new(void); /* NULL if there is no memory */
void slow_free(struct slow *s);

/* Opens a regular file for reading and tells what it is. Returns -1 if it is not one, or if the budget is used up
 * (`over` says why). flags is O_NOFOLLOW or 0. */
int slow_open(struct spending *sp, const char *path, int flags, struct stat *st);
bool slow_stat(struct spending *sp, int fd, struct stat *st);
ssize_t slow_pread(struct spending *sp, int fd, void *to, size_t n, off_t off);
void slow_close(struct spending *sp, int fd);

#endif
