/* The C preprocessor over a program: option cpp (-C). */
#ifndef ET_LANG_CPP_H
#define ET_LANG_CPP_H

#include "lang/cc.h"

/*
 * Runs the preprocessor over cc->text; the result, on the heap, is the
 * caller's. dir: where #include "..." looks first, or NULL. On failure goes
 * through cc_error with what the preprocessor said.
 */
char *cpp_run(struct cc *cc, const char *dir, size_t *len);

#endif
