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
	const char *name; /* NULL for an anonymous struct or union */
	struct type *type;
	uint32_t offset; /* bits from the start */
	uint32_t bits;   /* width of a bit-field; 0 if it is not one */
	uint32_t align;  /* bytes, from an attribute; 0 for the type's own */
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
	uint64_t size;    /* bytes; 0 if incomplete, void or a function */
	uint32_t align;
	bool is_signed;   /* T_INT, T_ENUM */
	bool is_char;     /* plain, signed or unsigned char */
	bool is_complete; /* struct, union, enum: its body was seen */
	bool is_varargs;  /* T_FUNC */
	bool is_packed;   /* struct: members follow each other without gaps */
	bool is_const, is_volatile;
	struct type *ref; /* T_PTR, T_ARRAY, T_TYPEDEF, T_FUNC (result) */
	uint64_t nelems;  /* T_ARRAY; 0 for [] */
	struct member *members;
	struct enumerator *enums;
	struct param *params; /* T_FUNC; and T_ARRAY that is associative: the key types */
	bool is_assoc;        /* T_ARRAY declared with a tuple of types: int a[string, int] */
	struct type *ptr_to;  /* cache: the pointer to this type */
	struct types *ask;    /* struct, union, enum: the kernel may know more about it (type_fill()) */
	uint32_t kernel_id;   /* its number there; 0 if it is not the kernel's */
};

struct types; /* the table: names → types, tags → types, integers by size */

struct types *types_new(struct lang *lang, struct arena *ar, uint32_t strsize);
/* Called when option strsize changed: it is the size of type string. */
void types_set_strsize(struct types *ts, uint32_t strsize);
/* Types larger than this are refused when declared. */
#define TYPE_MAXSIZE (UINT64_C(1) << 28)

/* Built-in types; never NULL. */
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
/* Returns the type of a typedef name, or NULL. */
struct type *type_named(struct types *ts, const char *name);
/* kind is T_STRUCT, T_UNION or T_ENUM. If it is unknown and `make` is set, a forward declaration is made. */
struct type *type_tagged(struct types *ts, enum type_kind kind, const char *tag, bool make);
void type_add_typedef(struct types *ts, const char *name, struct type *t);
/* Computes size, align and offsets of a struct or union whose members are listed. */
void type_layout(struct types *ts, struct type *t);
/* Finds an enumerator of any enum by name. Returns false if there is none. */
bool type_enumerator(struct types *ts, const char *name, struct type **t, int64_t *value);
void type_add_enumerator(struct types *ts, struct type *e, const char *name, int64_t value);

/* Returns C's integer or floating type by its words in their usual order ("unsigned long"), or NULL. */
struct type *type_by_words(struct types *ts, const char *words);
/* An array with a tuple of key types. */
struct type *type_assoc(struct types *ts, struct type *of, struct param *keys);
struct type *type_func(struct types *ts, struct type *result, struct param *params, bool is_varargs);
/* Returns the same type marked const or volatile. Structures and typedefs are returned as they are. */
struct type *type_qualified(struct types *ts, struct type *t, bool is_const, bool is_volatile);
/* A struct, union or enum without a tag. */
struct type *type_untagged(struct types *ts, enum type_kind kind);
/* Called when a struct, union or enum got its body: remembered for types_undo(). */
void type_completed(struct types *ts, struct type *t);

/* Undoing a failed compilation. */
struct types_mark {
	unsigned names, tags, enums;
	unsigned completed; /* bodies seen: on undo, a tag that existed before becomes incomplete again */
};
struct types_mark types_mark(const struct types *ts);
void types_undo(struct types *ts, struct types_mark m);

/* The kernel's types (type_kernel.c). There are none if the kernel does not publish them. */
struct kbtf;
struct kbtf *types_kernel(struct types *ts); /* NULL if not published */
struct ksyms;
/* Returns the addresses of the kernel's symbols, or NULL if they cannot be read (with errno of the first attempt). */
const struct ksyms *types_symbols(struct types *ts);
void types_close(struct types *ts);
struct type *type_kernel(struct types *ts, uint32_t id);            /* by its number there */
struct type *type_kernel_named(struct types *ts, const char *name); /* a typedef, or NULL */
void type_fill(struct type *t);   /* completes a type that has `ask` set; type_base() calls it */
void type_disown(struct type *t); /* a program is about to declare what was the kernel's */

/* Parses D source of a type ("const char *", "struct foo [4]", a function type for prototypes). Returns NULL if it
 * is not a type. */
struct type *type_parse(struct cc *cc, const char *text);

struct type *type_base(struct type *t); /* looks through typedefs; completes the kernel's structures */
/* Returns a typedef with nearly this name, or NULL. */
const char *type_near(struct types *ts, struct arena *ar, const char *name);
bool type_same(struct type *a, struct type *b);
bool type_is_int(struct type *t);       /* integers and enums */
bool type_is_scalar(struct type *t);    /* integers, enums, floats and pointers */
bool type_is_ptr(struct type *t);       /* pointers; not arrays */
bool type_is_string(struct type *t);    /* T_STRING */
bool type_is_strcompat(struct type *t); /* string, char array, pointer to char */
bool type_is_sou(struct type *t);       /* struct or union */
bool type_is_ref(struct type *t);       /* held by reference: string, array, struct, union */
/* Finds a member by name, also in anonymous members. *offset gets the bits from the start of t. */
struct member *type_member(struct type *t, const char *name, uint64_t *offset);
/* Returns the type as D writes it: "unsigned long", "struct foo *", "int [4]". In ar. */
const char *type_text(struct arena *ar, struct type *t);

#endif
