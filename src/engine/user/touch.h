/* Has the system give an engine all of its memory now: a later event must not be the one that gets none.
 * Pages of a file (store.c) are reserved, others touched. */
#ifndef ET_ENGINE_USER_TOUCH_H
#define ET_ENGINE_USER_TOUCH_H

#include <stdbool.h>

struct engine;

/* Before events come. ends(arg) says whether to give up in the middle. False: there is not so much, or it was to end.
 */
bool eng_touch(struct engine *e, bool (*ends)(void *arg), void *arg);

#endif
