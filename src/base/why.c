/* The text of a failure: why.h. */
#include "base/why.h"

#include <stdio.h>
#include <string.h>

void
why_vset(struct why *w, const char *fmt, va_list ap)
{
	vsnprintf(w->text, sizeof w->text, fmt, ap);
}

void
why_set(struct why *w, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	why_vset(w, fmt, ap);
	va_end(ap);
}

void
why_add(struct why *w, const char *fmt, ...)
{
	size_t n = strlen(w->text);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(w->text + n, sizeof w->text - n, fmt, ap);
	va_end(ap);
}
