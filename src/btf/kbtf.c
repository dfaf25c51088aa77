/* Reads BTF; see kbtf.h. <linux/btf.h> has the format. */
#include "btf/kbtf.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Newer headers have members that older kernels lack. */
enum { HEADER_LEAST = offsetof(struct btf_header, str_len) + sizeof(uint32_t) };
enum { INDEXED = KBTF_KIND(STRUCT) | KBTF_KIND(UNION) | KBTF_KIND(ENUM) | KBTF_KIND(ENUM64) | KBTF_KIND(TYPEDEF) };
static const char tp_prefix[] = "btf_trace_";

struct kbtf {
	char *at;
	size_t len;
	bool is_mapped;
	const struct btf_header *h;
	uint32_t *offs, n; /* offset of each type, by id from 1 */
	/* The numbers of a module's types and strings continue those of the kernel itself, which are the base's. */
	const struct kbtf *base;
	uint32_t first, first_str; /* how many the base has */
	/* Named types by hash of the name: the first of each slot, and the next. */
	uint32_t *slots, *next, mask;
};

enum { UNKNOWN_KIND = -1 };

/* Bytes that follow a type's head. */
static int64_t
tail(const struct btf_type *t)
{
	unsigned n = BTF_INFO_VLEN(t->info);
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return (int64_t)sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return (int64_t)(n * sizeof(struct btf_member));
	case BTF_KIND_ENUM:
		return (int64_t)(n * sizeof(struct btf_enum));
	case BTF_KIND_FUNC_PROTO:
		return (int64_t)(n * sizeof(struct btf_param));
	case BTF_KIND_DATASEC:
		return (int64_t)(n * sizeof(struct btf_var_secinfo));
	case BTF_KIND_ENUM64:
		return (int64_t)n * 12;
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	default:
		return UNKNOWN_KIND;
	}
}

static uint32_t
hash_of(const char *s)
{
	uint32_t h = 2166136261u;
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h ^ h >> 15;
}

const char *
kbtf_name(const struct kbtf *b, uint32_t off)
{
	/* The last byte of the strings is a NUL; open() has checked that. */
	if (b->base && off < b->first_str)
		return kbtf_name(b->base, off);
	off -= b->first_str;
	return off < b->h->str_len ? b->at + b->h->hdr_len + b->h->str_off + off : "";
}

uint32_t
kbtf_count(const struct kbtf *b)
{
	return b->first + b->n;
}

const struct btf_type *
kbtf_type(const struct kbtf *b, uint32_t id)
{
	if (b->base && id <= b->first)
		return kbtf_type(b->base, id);
	id -= b->first;
	return id && id <= b->n
		   ? (const struct btf_type *)(const void *)(b->at + b->h->hdr_len + b->h->type_off + b->offs[id])
		   : NULL;
}

static bool
number_types(struct kbtf *b, const char *path, struct why *why)
{
	const char *base = b->at + b->h->hdr_len + b->h->type_off;
	uint32_t off = 0, len = b->h->type_len;
	if (!(b->offs = malloc((len / sizeof(struct btf_type) + 2) * sizeof *b->offs)))
		return false;
	while (len - off >= sizeof(struct btf_type)) {
		const struct btf_type *t = (const struct btf_type *)(const void *)(base + off);
		int64_t more = tail(t);
		if (more == UNKNOWN_KIND) {
			why_set(why, "%s: type %u is of kind %u, which this erltrace does not know", path, b->n + 1,
			    (unsigned)BTF_INFO_KIND(t->info));
			return false;
		}
		if ((uint64_t)more > len - off - sizeof *t)
			break;
		b->offs[++b->n] = off;
		off += (uint32_t)((int64_t)sizeof *t + more);
	}
	if (off != len)
		why_set(why, "%s: type %u is cut off", path, b->n + 1);
	return off == len;
}

static bool
index_names(struct kbtf *b)
{
	uint32_t nslots = 1024;
	while (nslots < b->n / 4)
		nslots *= 2;
	b->mask = nslots - 1;
	b->slots = calloc(nslots, sizeof *b->slots);
	b->next = malloc(((size_t)b->n + 1) * sizeof *b->next);
	if (!b->slots || !b->next)
		return false;
	/* Goes backwards, so that the first type of a name is found first. */
	for (uint32_t id = b->n; id; id--) {
		const struct btf_type *t = kbtf_type(b, b->first + id);
		if (!t->name_off || !(1u << BTF_INFO_KIND(t->info) & INDEXED))
			continue;
		uint32_t *slot = &b->slots[hash_of(kbtf_name(b, t->name_off)) & b->mask];
		b->next[id] = *slot;
		*slot = id;
	}
	return true;
}

/* Newer kernels allow mapping it; otherwise it is read. */
static bool
get_file(struct kbtf *b, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	size_t size = fstat(fd, &st) == 0 && st.st_size > 0 ? (size_t)st.st_size : 0;
	void *m = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	if (m != MAP_FAILED) {
		b->at = m;
		b->len = size;
		b->is_mapped = true;
	} else if (size && (b->at = malloc(size))) {
		for (ssize_t n; b->len < size; b->len += (size_t)n)
			if ((n = read(fd, b->at + b->len, size - b->len)) <= 0)
				break;
	}
	close(fd);
	return b->at && b->len == size;
}

static bool
is_sound(const struct kbtf *b)
{
	const struct btf_header *h = b->h;
	if (b->len < HEADER_LEAST || h->magic != BTF_MAGIC || h->hdr_len < HEADER_LEAST)
		return false;
	uint64_t types = (uint64_t)h->hdr_len + h->type_off, strs = (uint64_t)h->hdr_len + h->str_off;
	return types + h->type_len <= b->len && types % 4 == 0 && strs + h->str_len <= b->len && h->str_len &&
	       b->at[strs + h->str_len - 1] == '\0';
}

static struct kbtf *
open_file(const char *path, const struct kbtf *base, struct why *why)
{
	struct kbtf *b = calloc(1, sizeof *b);
	struct why unasked;
	if (!why)
		why = &unasked;
	why_set(why, "%s is not there, or is not BTF", path);
	if (b && base) {
		b->base = base;
		b->first = kbtf_count(base);
		b->first_str = base->h->str_len;
	}
	if (b && get_file(b, path)) {
		b->h = (const struct btf_header *)(const void *)b->at;
		if (is_sound(b) && number_types(b, path, why) && index_names(b))
			return b;
	}
	kbtf_close(b);
	return NULL;
}

struct kbtf *
kbtf_open(const char *path, struct why *why)
{
	return open_file(path ? path : KBTF_PATH, NULL, why);
}

struct kbtf *
kbtf_open_module(const char *path, const struct kbtf *base)
{
	return open_file(path, base, NULL);
}

void
kbtf_close(struct kbtf *b)
{
	if (!b)
		return;
	if (b->is_mapped)
		munmap(b->at, b->len);
	else
		free(b->at);
	free(b->offs);
	free(b->slots);
	free(b->next);
	free(b);
}

uint32_t
kbtf_find(const struct kbtf *b, const char *name, uint32_t kinds)
{
	for (uint32_t id = b->slots[hash_of(name) & b->mask]; id; id = b->next[id]) {
		const struct btf_type *t = kbtf_type(b, b->first + id);
		if (1u << BTF_INFO_KIND(t->info) & kinds && strcmp(kbtf_name(b, t->name_off), name) == 0)
			return b->first + id;
	}
	return 0;
}

/* D looks up typedefs only by names that look like typedefs. For others the type that they stand for is given. */
static bool
is_typename(const char *s)
{
	size_t len = strlen(s);
	return (len > 2 && strcmp(s + len - 2, "_t") == 0) || strcmp(s, "bool") == 0;
}

void
kbtf_text(const struct kbtf *b, uint32_t id, char *to, size_t size)
{
	unsigned stars = 0, depth = 0;
	bool is_const = false;
	const struct btf_type *t = kbtf_type(b, id);
	const char *word = "", *name = NULL;
	for (; t && !name && depth < 32; depth++) {
		bool own = b->base && id > b->first; /* D does not know the types of modules */
		switch (BTF_INFO_KIND(t->info)) {
		case BTF_KIND_PTR:
			stars++;
			is_const = false;
			break;
		case BTF_KIND_CONST:
			is_const = true;
			break;
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			break;
		case BTF_KIND_TYPEDEF:
			if (!own && is_typename(kbtf_name(b, t->name_off)))
				name = kbtf_name(b, t->name_off);
			break;
		case BTF_KIND_INT:
		case BTF_KIND_FLOAT:
			name = kbtf_name(b, t->name_off);
			break;
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
		case BTF_KIND_FWD: {
			unsigned kind = BTF_INFO_KIND(t->info);
			bool is_union = kind == BTF_KIND_FWD ? BTF_INFO_KFLAG(t->info) : kind == BTF_KIND_UNION;
			bool is_enum = kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64;
			word = is_enum ? "enum " : is_union ? "union " : "struct ";
			name = kbtf_name(b, t->name_off);
			if (!*name || own || (!stars && !is_enum)) {
				word = "";
				name = stars ? "void" : is_enum ? "int" : "uint64_t";
			}
			break;
		}
		default:
			name = stars ? "void" : "uint64_t";
			break;
		}
		id = t->type;
		t = kbtf_type(b, id);
	}
	if (!name)
		name = stars ? "void" : "uint64_t";
	snprintf(to, size, "%s%s%s%s%.*s", is_const && stars ? "const " : "", word, name, stars ? " " : "",
	    (int)(stars < 4 ? stars : 4), "****");
}

/* Returns the offset in bits. Members of unnamed structures inside count as members of the structure. `depth` bounds
 * what a broken file can do. */
static uint64_t
member_offset(const struct kbtf *b, const struct btf_type *t, const char *member, unsigned depth)
{
	const struct btf_member *m = (const struct btf_member *)(const void *)(t + 1);
	for (unsigned i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		uint64_t at = BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset;
		if (strcmp(kbtf_name(b, m[i].name_off), member) == 0)
			return at;
		const struct btf_type *in = m[i].name_off ? NULL : kbtf_type(b, m[i].type);
		if (!in || !depth ||
		    (BTF_INFO_KIND(in->info) != BTF_KIND_STRUCT && BTF_INFO_KIND(in->info) != BTF_KIND_UNION))
			continue;
		uint64_t inner = member_offset(b, in, member, depth - 1);
		if (inner != UINT64_MAX)
			return at + inner;
	}
	return UINT64_MAX;
}

/* Returns the structure that a member of `t` is, for going on inside it, or NULL if it is not one. */
static const struct btf_type *
member_struct(const struct kbtf *b, const struct btf_type *t, const char *member, unsigned depth)
{
	const struct btf_member *m = (const struct btf_member *)(const void *)(t + 1);
	for (unsigned i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		const struct btf_type *in = kbtf_type(b, m[i].type), *found;
		while (in &&
		       (1u << BTF_INFO_KIND(in->info) & (KBTF_KIND(TYPEDEF) | KBTF_KIND(CONST) | KBTF_KIND(VOLATILE))))
			in = kbtf_type(b, in->type);
		bool is_sou = in && (1u << BTF_INFO_KIND(in->info) & (KBTF_KIND(STRUCT) | KBTF_KIND(UNION)));
		if (!is_sou)
			continue;
		if (strcmp(kbtf_name(b, m[i].name_off), member) == 0)
			return in;
		if (!m[i].name_off && depth && (found = member_struct(b, in, member, depth - 1)))
			return found;
	}
	return NULL;
}

uint64_t
kbtf_offset(const struct kbtf *b, const char *structure, const char *member)
{
	uint32_t id = b ? kbtf_find(b, structure, KBTF_KIND(STRUCT)) : 0;
	const struct btf_type *t = id ? kbtf_type(b, id) : NULL;
	uint64_t bits = 0;
	for (const char *dot; t; member = dot + 1) {
		char name[64];
		dot = strchr(member, '.');
		size_t len = dot ? (size_t)(dot - member) : strlen(member);
		if (len >= sizeof name)
			break;
		memcpy(name, member, len);
		name[len] = '\0';
		uint64_t at = member_offset(b, t, name, 8);
		if (at == UINT64_MAX)
			break;
		bits += at;
		if (!dot)
			return bits / 8;
		t = member_struct(b, t, name, 8);
	}
	return UINT64_MAX;
}

static bool
is_per_cpu(const struct kbtf *b, uint32_t var)
{
	for (uint32_t id = b->first + 1; id <= kbtf_count(b); id++) {
		const struct btf_type *t = kbtf_type(b, id);
		const struct btf_var_secinfo *s = (const struct btf_var_secinfo *)(const void *)(t + 1);
		if (BTF_INFO_KIND(t->info) != BTF_KIND_DATASEC || !strstr(kbtf_name(b, t->name_off), "percpu"))
			continue;
		for (unsigned i = 0; i < BTF_INFO_VLEN(t->info); i++)
			if (s[i].type == var)
				return true;
	}
	return false;
}

uint32_t
kbtf_variable(const struct kbtf *b, const char *name, bool *per_cpu)
{
	for (uint32_t id = b->first + 1; id <= kbtf_count(b); id++) {
		const struct btf_type *t = kbtf_type(b, id);
		if (BTF_INFO_KIND(t->info) != BTF_KIND_VAR || strcmp(kbtf_name(b, t->name_off), name) != 0)
			continue;
		*per_cpu = is_per_cpu(b, id);
		return t->type;
	}
	return 0;
}

uint64_t
kbtf_enumerator(const struct kbtf *b, const char *tag, const char *name)
{
	uint32_t id = b ? kbtf_find(b, tag, KBTF_KIND(ENUM)) : 0;
	const struct btf_type *t = id ? kbtf_type(b, id) : NULL;
	const struct btf_enum *e = t ? (const struct btf_enum *)(const void *)(t + 1) : NULL;
	for (unsigned i = 0; t && i < BTF_INFO_VLEN(t->info); i++)
		if (strcmp(kbtf_name(b, e[i].name_off), name) == 0)
			return (uint64_t)(int64_t)e[i].val;
	return UINT64_MAX;
}

/* Each tracepoint is a type `btf_trace_NAME`: a pointer to a function of an internal first argument and its own
 * ones. */
static const struct btf_param *
tracepoint(const struct kbtf *b, uint32_t id, unsigned *n)
{
	const struct btf_type *t = kbtf_type(b, id), *ptr = t ? kbtf_type(b, t->type) : NULL,
			      *proto = ptr ? kbtf_type(b, ptr->type) : NULL;
	if (!proto || BTF_INFO_KIND(proto->info) != BTF_KIND_FUNC_PROTO || BTF_INFO_VLEN(proto->info) < 1)
		return NULL;
	*n = BTF_INFO_VLEN(proto->info) - 1;
	return (const struct btf_param *)(const void *)(proto + 1) + 1;
}

void
kbtf_tracepoints(const struct kbtf *b,
    void (*fn)(void *arg, const char *name, const struct btf_param *params, unsigned n), void *arg)
{
	unsigned n;
	for (uint32_t id = b ? b->first + 1 : 1; b && id <= kbtf_count(b); id++) {
		const struct btf_type *t = kbtf_type(b, id);
		if (BTF_INFO_KIND(t->info) != BTF_KIND_TYPEDEF)
			continue;
		const char *name = kbtf_name(b, t->name_off);
		const struct btf_param *params =
		    strncmp(name, tp_prefix, sizeof tp_prefix - 1) == 0 ? tracepoint(b, id, &n) : NULL;
		if (params)
			fn(arg, name + sizeof tp_prefix - 1, params, n);
	}
}

void
kbtf_functions(const struct kbtf *b, const char *prefix,
    void (*fn)(void *arg, const char *name, const struct btf_param *params, unsigned n), void *arg)
{
	size_t len = strlen(prefix);
	for (uint32_t id = b ? b->first + 1 : 1; b && id <= kbtf_count(b); id++) {
		const struct btf_type *t = kbtf_type(b, id), *proto;
		if (BTF_INFO_KIND(t->info) != BTF_KIND_FUNC)
			continue;
		const char *name = kbtf_name(b, t->name_off);
		if (strncmp(name, prefix, len) != 0 || !(proto = kbtf_type(b, t->type)) ||
		    BTF_INFO_KIND(proto->info) != BTF_KIND_FUNC_PROTO)
			continue;
		fn(arg, name + len, (const struct btf_param *)(const void *)(proto + 1), BTF_INFO_VLEN(proto->info));
	}
}

const struct btf_param *
kbtf_tracepoint(const struct kbtf *b, const char *name, unsigned *n)
{
	char full[128];
	if (!b || strlen(name) + sizeof tp_prefix > sizeof full)
		return NULL;
	snprintf(full, sizeof full, "%s%s", tp_prefix, name);
	uint32_t id = kbtf_find(b, full, KBTF_KIND(TYPEDEF));
	return id ? tracepoint(b, id, n) : NULL;
}
