/* The C preprocessor over a program: option cpp (-C). */
#ifndef ET_LANG_CPP_H
#define ET_LANG_CPP_H

#include "lang/cc.h"

/*
 * Runs the preprocessor over cc->text. The caller frees the result. dir is where #include "..." looks first, or NULL.
 * On failure it calls cc_error with the preprocessor's message.
 */
char *cpp_run(struct cc *cc, const char *dir, size_t *len);

#endif
