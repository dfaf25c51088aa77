/*
 * The kernel's own description of its types (BTF), read in place.
 *
 * Opening maps the file, numbers the types and indexes their names: a few milliseconds. A file that makes no sense has
 * fewer types, or none: nothing in it is trusted.
 */
#ifndef ET_BTF_KBTF_H
#define ET_BTF_KBTF_H

#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KBTF_FOLDER "/sys/kernel/btf"
#define KBTF_PATH KBTF_FOLDER "/vmlinux"

struct kbtf;
/* NULL: there is none (path; NULL: this kernel's), or no memory. */
struct kbtf *kbtf_open(const char *path);
/* A module's, which goes on from the kernel's own: that must stay open. The numbers of both are known to it; names and
 * tracepoints are found of the module only, and kbtf_text() tells those types that the kernel itself has. */
struct kbtf *kbtf_open_module(const char *path, const struct kbtf *base);
void kbtf_close(struct kbtf *b);

/* The type with that number, what belongs to it behind it; NULL: there is none. */
const struct btf_type *kbtf_type(const struct kbtf *b, uint32_t id);
const char *kbtf_name(const struct kbtf *b, uint32_t off); /* "" when there is none */
uint32_t kbtf_count(const struct kbtf *b);                 /* the highest number */

/* As C writes it, for what can be an argument: a number, or a pointer to something with a name. Other pointers are
 * "void *", other values "uint64_t". Cut when it does not fit. */
void kbtf_text(const struct kbtf *b, uint32_t id, char *to, size_t size);

#define KBTF_KIND(k) (1u << BTF_KIND_##k)
/* The first type of that name and one of those kinds (bits, of struct, union, enum and typedef); 0: none. */
uint32_t kbtf_find(const struct kbtf *b, const char *name, uint32_t kinds);

/* Offset in bytes of a structure's member, or of one inside it ("a.b"), ~0 when there is none; b may be NULL. */
uint64_t kbtf_offset(const struct kbtf *b, const char *structure, const char *member);

/* The type of one of the kernel's variables, and whether every CPU has one of its own; 0: it is not told. */
uint32_t kbtf_variable(const struct kbtf *b, const char *name, bool *per_cpu);

/* The value of an enumerator of an enum with that tag, ~0 when there is none; b may be NULL. */
uint64_t kbtf_enumerator(const struct kbtf *b, const char *tag, const char *name);

/* The kernel's raw tracepoints: fn gets the name and the prototype (BTF_KIND_FUNC_PROTO), whose first argument is
 * internal. */
void kbtf_tracepoints(const struct kbtf *b,
    void (*fn)(void *arg, const char *name, const struct btf_param *params, unsigned n), void *arg);
/* The functions whose name begins with prefix: fn gets the rest of the name and the arguments. b may be NULL. */
void kbtf_functions(const struct kbtf *b, const char *prefix,
    void (*fn)(void *arg, const char *name, const struct btf_param *params, unsigned n), void *arg);
/* A tracepoint by name; NULL: no such one. */
const struct btf_param *kbtf_tracepoint(const struct kbtf *b, const char *name, unsigned *n);

#endif
