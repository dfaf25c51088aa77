/* libwebsockets, loaded when it is needed: see late.c. */
#ifndef ET_WEB_LATE_H
#define ET_WEB_LATE_H

#include "base/why.h"

#include <stdbool.h>

/* Loads libwebsockets once, before any of it is called. */
bool late_load(struct why *why);

#endif
