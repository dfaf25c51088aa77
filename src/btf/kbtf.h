/*
 * The kernel's own description of its types (BTF), read in place.
 *
 * Opening maps the file, numbers the types and indexes their names: a few milliseconds. Nothing in the file is trusted.
 * A file with a type of a kind that is not known here is refused: nobody can tell how long that type is, so everything
 * behind it would be read at wrong places and have wrong numbers.
 */
#ifndef ET_BTF_KBTF_H
#define ET_BTF_KBTF_H

#include "base/why.h"

#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KBTF_FOLDER "/sys/kernel/btf"
#define KBTF_PATH KBTF_FOLDER "/vmlinux"

struct kbtf;
/* Returns NULL if there is none, if it is refused or if memory runs out. If path is NULL it is this kernel's. why may
 * be NULL. */
struct kbtf *kbtf_open(const char *path, struct why *why);
/* Opens a module's BTF, which continues the kernel's own; that must stay open. It knows the numbers of both. Names
 * and tracepoints are found only in the module, and kbtf_text() names the types that the kernel itself has. */
struct kbtf *kbtf_open_module(const char *path, const struct kbtf *base);
void kbtf_close(struct kbtf *b);

/* Returns the type with that number, followed by its data, or NULL if there is none. */
const struct btf_type *kbtf_type(const struct kbtf *b, uint32_t id);
const char *kbtf_name(const struct kbtf *b, uint32_t off); /* "" if there is none */
uint32_t kbtf_count(const struct kbtf *b);                 /* the highest number */

/* Writes a type as C does, for what can be an argument: a number, or a pointer to something with a name. Other
 * pointers are "void *", other values "uint64_t". It is cut if it does not fit. */
void kbtf_text(const struct kbtf *b, uint32_t id, char *to, size_t size);

#define KBTF_KIND(k) (1u << BTF_KIND_##k)
/* Returns the first type of that name and one of those kinds (bits; struct, union, enum and typedef), or 0. */
uint32_t kbtf_find(const struct kbtf *b, const char *name, uint32_t kinds);

/* Returns the offset in bytes of a structure's member, or of one inside it ("a.b"), or ~0 if there is none. b may be
 * NULL. */
uint64_t kbtf_offset(const struct kbtf *b, const char *structure, const char *member);

/* Returns the type of one of the kernel's variables, and whether every CPU has its own. Returns 0 if it is not
 * described. */
uint32_t kbtf_variable(const struct kbtf *b, const char *name, bool *per_cpu);

/* Returns the value of an enumerator of an enum with that tag, or ~0 if there is none. b may be NULL. */
uint64_t kbtf_enumerator(const struct kbtf *b, const char *tag, const char *name);

/* The kernel's raw tracepoints. fn gets the name and the prototype (BTF_KIND_FUNC_PROTO), whose first argument is
 * internal. */
void kbtf_tracepoints(const struct kbtf *b,
    void (*fn)(void *arg, const char *name, const struct btf_param *params, unsigned n), void *arg);
/* The functions whose name begins with prefix. fn gets the rest of the name and the arguments. b may be NULL. */
void kbtf_functions(const struct kbtf *b, const char *prefix,
    void (*fn)(void *arg, const char *name, const struct btf_param *params, unsigned n), void *arg);
/* Returns a tracepoint by name, or NULL. */
const struct btf_param *kbtf_tracepoint(const struct kbtf *b, const char *name, unsigned *n);

#endif
