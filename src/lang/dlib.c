/* The text of src/dlib, which the build puts into two strings. */
#include "lang/lang.h"

const char lang_builtin_d[] =
#include "dlib_types.inc"
    ;

const char lang_kernel_d[] =
#include "dlib_kernel.inc"
    ;
