/* How many files this process may have open. The usual soft limit, 1024, is for programs that call select(). */
#ifndef ET_BASE_FILES_H
#define ET_BASE_FILES_H

#include <sys/resource.h>

/* Raises the limit to `want`, or as far as this user may; it is never lowered. RLIM_INFINITY: as far as that. Returns
 * what it is then; 0 if it is not known. */
static inline rlim_t
files_allow(rlim_t want)
{
	struct rlimit r;
	if (getrlimit(RLIMIT_NOFILE, &r) != 0)
		return 0;
	rlim_t before = r.rlim_cur, most = want < r.rlim_max ? want : r.rlim_max;
	if (before >= most)
		return before;
	r.rlim_cur = most;
	return setrlimit(RLIMIT_NOFILE, &r) == 0 ? most : before;
}

#endif
