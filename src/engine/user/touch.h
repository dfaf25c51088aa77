/* Makes the system give an engine all of its memory now, so that a later event cannot be refused memory. Pages of a
 * file (store.c) are reserved, others are touched. */
#ifndef ET_ENGINE_USER_TOUCH_H
#define ET_ENGINE_USER_TOUCH_H

#include <stdbool.h>

struct engine;

/* Call it before events come. ends(arg) says whether to give up in the middle. Returns false if there is not enough
 * memory or ends() said so. */
bool eng_touch(struct engine *e, bool (*ends)(void *arg), void *arg);

#endif
