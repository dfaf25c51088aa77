/*
 * Files of other people's processes may be on a file system that one of them serves (FUSE), alone or below an overlay.
 * Any call about such a file, closing it included, may take as long as that process likes, and no signal but SIGKILL
 * ends it. So the calls are made by a thread, which is waited for within the budget's time, and until somebody wants
 * it to end. One that does not come back is left alone: it ends with its call, or with this program.
 *
 * A file on FUSE is not read unless the budget says so, as that of a process that was named does. Those on file systems
 * that the kernel serves from a disk or from memory are read without the thread once they are open.
 *
 * For a budget without a `slow` these are the plain system calls.
 */
#ifndef ET_SYM_SLOW_H
#define ET_SYM_SLOW_H

#include "sym/budget.h"

#include <sys/stat.h>
#include <sys/types.h>

struct slow;
struct slow *slow_new(void); /* NULL: no memory */
void slow_free(struct slow *s);

/* Opens a regular file to read, and tells what it is. -1: it is none, or `over` says why. flags: O_NOFOLLOW, or 0. */
int slow_open(struct spending *sp, const char *path, int flags, struct stat *st);
bool slow_stat(struct spending *sp, int fd, struct stat *st);
ssize_t slow_pread(struct spending *sp, int fd, void *to, size_t n, off_t off);
void slow_close(struct spending *sp, int fd);

#endif
