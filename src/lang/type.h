/*
 * Types of D: C's, LP64, plus string and the kinds that only D has.
 *
 * Types live in the arena of struct lang and are compared by structure
 * (type_same), typedefs looked through. Qualifiers are kept but do not matter.
 */
#ifndef ET_LANG_TYPE_H
#define ET_LANG_TYPE_H

#include "lang/cc.h"

enum type_kind {
	T_VOID,
	T_INT,
	T_FLOAT,
	T_STRING, /* by reference; size is the option strsize */
	T_PTR,
	T_ARRAY,
	T_FUNC,
	T_STRUCT,
	T_UNION,
	T_ENUM,
	T_TYPEDEF,
	T_DYN,   /* nothing known: an untyped variable before its first use, args[] without a type */
	T_STACK, /* the result of stack(), ustack(), jstack() */
	T_SYM,   /* the result of sym(), mod(), usym() … */
	T_TERM,  /* an Erlang term */
	T_NAME,  /* the result of name() */
};

struct member {
	struct member *next;
	const char *name; /* NULL: anonymous struct or union */
	struct type *type;
	uint32_t offset; /* bits from the start */
	uint32_t bits;   /* width of a bit-field, 0: not one */
	uint32_t align;  /* bytes, from an attribute; 0: the type's own */
};

struct enumerator {
	struct enumerator *next;
	const char *name;
	int64_t value;
};

struct param {
	struct param *next;
	struct type *type;
};

struct type {
	enum type_kind kind;
	const char *name; /* T_INT, T_FLOAT, T_TYPEDEF: "unsigned int"; tag of struct, union, enum, or NULL */
	uint64_t size;    /* bytes; 0: incomplete, void, function */
	uint32_t align;
	bool is_signed;   /* T_INT, T_ENUM */
	bool is_char;     /* plain, signed or unsigned char */
	bool is_complete; /* struct, union, enum: its body was seen */
	bool is_varargs;  /* T_FUNC */
	bool is_packed;   /* struct: members follow each other without gaps */
	bool is_const, is_volatile;
	struct type *ref; /* T_PTR, T_ARRAY, T_TYPEDEF, T_FUNC (result) */
	uint64_t nelems;  /* T_ARRAY; 0: [] */
	struct member *members;
	struct enumerator *enums;
	struct param *params; /* T_FUNC; and T_ARRAY that is associative: the key types */
	bool is_assoc;        /* T_ARRAY declared with a tuple of types: int a[string, int] */
	struct type *ptr_to;  /* cache: the pointer to this type */
	struct types *ask;    /* struct, union, enum: the kernel may know more of it: see type_fill() */
	uint32_t kernel_id;   /* its number there; 0: not the kernel's */
};

struct types; /* the table: names → types, tags → types, integers by size */

struct types *types_new(struct lang *lang, struct arena *ar, uint32_t strsize);
/* The option strsize changed: the size of type string. */
void types_set_strsize(struct types *ts, uint32_t strsize);
/* Types larger than this are refused when declared. */
#define TYPE_MAXSIZE (UINT64_C(1) << 28)

/* Built-in ones, never NULL. */
struct type *type_void(struct types *ts);
struct type *type_string(struct types *ts);
struct type *type_dyn(struct types *ts);
struct type *type_stack(struct types *ts);
struct type *type_sym(struct types *ts);
struct type *type_term(struct types *ts);
struct type *type_name(struct types *ts);
struct type *type_int(struct types *ts, unsigned bytes, bool is_signed); /* 1: char; 4: int; 8: long */
struct type *type_char(struct types *ts);

struct type *type_ptr(struct types *ts, struct type *to);
struct type *type_array(struct types *ts, struct type *of, uint64_t n);
/* A typedef name, or NULL. */
struct type *type_named(struct types *ts, const char *name);
/* kind T_STRUCT, T_UNION or T_ENUM; made as a forward declaration when `make`. */
struct type *type_tagged(struct types *ts, enum type_kind kind, const char *tag, bool make);
void type_add_typedef(struct types *ts, const char *name, struct type *t);
/* Computes size, align and offsets of a struct or union whose members are listed. */
void type_layout(struct types *ts, struct type *t);
/* An enumerator of any enum by its name; false: none. */
bool type_enumerator(struct types *ts, const char *name, struct type **t, int64_t *value);
void type_add_enumerator(struct types *ts, struct type *e, const char *name, int64_t value);

/* The integer or floating type of C by its words in their usual order ("unsigned long"); NULL: none. */
struct type *type_by_words(struct types *ts, const char *words);
/* An array with a tuple of key types. */
struct type *type_assoc(struct types *ts, struct type *of, struct param *keys);
struct type *type_func(struct types *ts, struct type *result, struct param *params, bool is_varargs);
/* The same type marked const or volatile; structures and typedefs are given back as they are. */
struct type *type_qualified(struct types *ts, struct type *t, bool is_const, bool is_volatile);
/* A struct, union or enum without a tag. */
struct type *type_untagged(struct types *ts, enum type_kind kind);
/* A body was given to a struct, union or enum: remembered for types_undo(). */
void type_completed(struct types *ts, struct type *t);
/* A copy of a name that lives as long as the types. */
const char *type_name_copy(struct types *ts, const char *s, size_t len);

/* Undoing a failed compilation. */
struct types_mark {
	unsigned names, tags, enums;
	unsigned completed; /* bodies seen: a tag that existed before becomes incomplete again */
};
struct types_mark types_mark(const struct types *ts);
void types_undo(struct types *ts, struct types_mark m);

/* The kernel's types (type_kernel.c). All of it is empty where the kernel does not tell them. */
struct kbtf;
struct kbtf *types_kernel(struct types *ts); /* NULL: not told */
struct ksyms;
/* Addresses of the kernel's symbols; NULL: they cannot be read (errno of the first time). */
const struct ksyms *types_symbols(struct types *ts);
void types_close(struct types *ts);
struct type *type_kernel(struct types *ts, uint32_t id);            /* by its number there */
struct type *type_kernel_named(struct types *ts, const char *name); /* a typedef; NULL: none */
void type_fill(struct type *t);   /* completes a type with `ask` set; type_base() does it */
void type_disown(struct type *t); /* what was the kernel's is about to be declared by a program */

/* Parses D source of a type ("const char *", "struct foo [4]", a function type for prototypes). NULL: not a type. */
struct type *type_parse(struct cc *cc, const char *text);

struct type *type_base(struct type *t); /* typedefs looked through; the kernel's structures with their members */
/* A typedef with nearly this name, or NULL. */
const char *type_near(struct types *ts, struct arena *ar, const char *name);
bool type_same(struct type *a, struct type *b);
bool type_is_int(struct type *t);       /* integers and enums */
bool type_is_arith(struct type *t);     /* integers, enums, floats */
bool type_is_scalar(struct type *t);    /* arith and pointers */
bool type_is_ptr(struct type *t);       /* pointers; not arrays */
bool type_is_string(struct type *t);    /* T_STRING */
bool type_is_strcompat(struct type *t); /* string, char array, pointer to char */
bool type_is_sou(struct type *t);       /* struct or union */
bool type_is_ref(struct type *t);       /* held by reference: string, array, struct, union */
/* The member by name, anonymous members searched; *offset gets the bits from the start of t. */
struct member *type_member(struct type *t, const char *name, uint64_t *offset);
/* As D writes it: "unsigned long", "struct foo *", "int [4]". In ar. */
const char *type_text(struct arena *ar, struct type *t);

#endif
