/* The table of types, for the files that fill it. */
#ifndef ET_LANG_TYPE_PRIV_H
#define ET_LANG_TYPE_PRIV_H

#include "lang/type.h"

/* C's own types. X(id, words, size, kind, is_signed, is_char) */
#define C_TYPES(X) \
	X(CHAR, "char", 1, T_INT, true, true) \
	X(SCHAR, "signed char", 1, T_INT, true, true) \
	X(UCHAR, "unsigned char", 1, T_INT, false, true) \
	X(BOOL, "_Bool", 1, T_INT, false, false) \
	X(SHORT, "short", 2, T_INT, true, false) \
	X(USHORT, "unsigned short", 2, T_INT, false, false) \
	X(INT, "int", 4, T_INT, true, false) \
	X(UINT, "unsigned int", 4, T_INT, false, false) \
	X(LONG, "long", 8, T_INT, true, false) \
	X(ULONG, "unsigned long", 8, T_INT, false, false) \
	X(LLONG, "long long", 8, T_INT, true, false) \
	X(ULLONG, "unsigned long long", 8, T_INT, false, false) \
	X(FLOAT, "float", 4, T_FLOAT, true, false) \
	X(DOUBLE, "double", 8, T_FLOAT, true, false) \
	X(LDOUBLE, "long double", 16, T_FLOAT, true, false)

enum ctype {
#define X(id, words, size, kind, is_signed, is_char) CT_##id,
	C_TYPES(X)
#undef X
	    CT_COUNT
};

struct enum_name {
	struct type *type;
	int64_t value;
};

struct types {
	struct arena *ar;
	struct strmap names; /* typedef → struct type */
	struct strmap tags;  /* "s foo", "u foo", "e foo" → struct type */
	struct strmap enums; /* enumerator → struct enum_name */
	VEC(struct type *) completed;
	struct type c[CT_COUNT];
	struct type of_void, of_string, of_dyn, of_stack, of_sym, of_term, of_name;
	struct type *enum_last; /* the enum whose last enumerator is enum_tail */
	struct enumerator *enum_tail;
	/* type_kernel.c; kernel_types is indexed by number, NULL if there are none */
	bool looked_for_kernel;
	struct kbtf *kernel;
	struct type **kernel_types;
	bool looked_for_symbols;
	struct ksyms *symbols;
};

#endif
