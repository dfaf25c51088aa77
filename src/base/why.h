/* Why something failed, in words for people. A function that can fail fills it in for its caller. */
#ifndef ET_BASE_WHY_H
#define ET_BASE_WHY_H

#include <stdarg.h>

struct why {
	char text[1024]; /* "" if nothing was said, which means that there was no memory */
};

/* Text that is too long is cut. */
__attribute__((format(printf, 2, 3))) void why_set(struct why *w, const char *fmt, ...);
void why_vset(struct why *w, const char *fmt, va_list ap);
/* Adds to what was said. */
__attribute__((format(printf, 2, 3))) void why_add(struct why *w, const char *fmt, ...);

#endif
