/* Names of metrics and labels, as Prometheus takes them. */
#include "export/export.h"

#include <stdlib.h>
#include <string.h>

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool
name_is_metric(const char *s)
{
	if (!is_letter(*s) && *s != ':')
		return false;
	while (is_letter(*s) || is_digit(*s) || *s == ':')
		s++;
	return !*s;
}

bool
name_is_label(const char *s)
{
	if (!is_letter(*s) || strncmp(s, "__", 2) == 0)
		return false;
	while (is_letter(*s) || is_digit(*s))
		s++;
	return !*s;
}

char *
name_made_of(const char *s)
{
	char *made = strdup(s);
	for (char *p = made; p && *p; p++)
		*p = is_letter(*p) || is_digit(*p) ? (char)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p) : '_';
	return made;
}
