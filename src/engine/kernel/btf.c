/*
 * The kernel's types, as far as offsets of members go: a walk over
 * /sys/kernel/btf/vmlinux. Without that file every member is unknown.
 */
#include "engine/kernel/kern.h"

#include <fcntl.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct kbtf {
	char *at;
	size_t len;
	const struct btf_header *h;
	uint32_t *offs, n; /* of each type, by id from 1 */
};

/* Bytes that follow a type's head. */
static size_t
tail(const struct btf_type *t)
{
	unsigned n = BTF_INFO_VLEN(t->info);
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return n * sizeof(struct btf_enum);
	case BTF_KIND_FUNC_PROTO:
		return n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return n * sizeof(struct btf_var_secinfo);
	case BTF_KIND_ENUM64:
		return n * 12;
	default:
		return 0;
	}
}

static bool
number_types(struct kbtf *b)
{
	const char *base = b->at + b->h->hdr_len + b->h->type_off;
	if (!(b->offs = malloc((b->h->type_len / sizeof(struct btf_type) + 2) * sizeof *b->offs)))
		return false;
	for (uint32_t off = 0; off + sizeof(struct btf_type) <= b->h->type_len;) {
		const struct btf_type *t = (const struct btf_type *)(const void *)(base + off);
		size_t size = sizeof *t + tail(t);
		if (size > b->h->type_len - off)
			break;
		b->offs[++b->n] = off;
		off += (uint32_t)size;
	}
	return true;
}

static bool
read_file(struct kbtf *b)
{
	struct stat st;
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && st.st_size >= (off_t)sizeof *b->h && (b->at = malloc((size_t)st.st_size)))
		for (ssize_t n; b->len < (size_t)st.st_size; b->len += (size_t)n)
			if ((n = read(fd, b->at + b->len, (size_t)st.st_size - b->len)) <= 0)
				break;
	close(fd);
	return b->at && b->len == (size_t)st.st_size;
}

struct kbtf *
kbtf_open(void)
{
	struct kbtf *b = calloc(1, sizeof *b);
	if (b && read_file(b)) {
		b->h = (const struct btf_header *)(const void *)b->at;
		if (b->h->magic == BTF_MAGIC && (uint64_t)b->h->hdr_len + b->h->type_off + b->h->type_len <= b->len &&
		    (uint64_t)b->h->hdr_len + b->h->str_off + b->h->str_len <= b->len && number_types(b))
			return b;
	}
	kbtf_close(b);
	return NULL;
}

void
kbtf_close(struct kbtf *b)
{
	if (b) {
		free(b->at);
		free(b->offs);
	}
	free(b);
}

static bool
is_named(const struct kbtf *b, uint32_t off, const char *name)
{
	const char *s = b->at + b->h->hdr_len + b->h->str_off;
	return off < b->h->str_len && strcmp(s + off, name) == 0;
}

static const struct btf_type *
type_at(const struct kbtf *b, uint32_t id)
{
	return id && id <= b->n
		   ? (const struct btf_type *)(const void *)(b->at + b->h->hdr_len + b->h->type_off + b->offs[id])
		   : NULL;
}

/* In bits; members of unnamed structures inside are the structure's own. `depth` bounds what a broken file can do. */
static uint64_t
member_offset(const struct kbtf *b, const struct btf_type *t, const char *member, unsigned depth)
{
	const struct btf_member *m = (const struct btf_member *)(const void *)(t + 1);
	for (unsigned i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		uint64_t at = BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset;
		if (is_named(b, m[i].name_off, member))
			return at;
		const struct btf_type *in = m[i].name_off ? NULL : type_at(b, m[i].type);
		if (!in || !depth ||
		    (BTF_INFO_KIND(in->info) != BTF_KIND_STRUCT && BTF_INFO_KIND(in->info) != BTF_KIND_UNION))
			continue;
		uint64_t inner = member_offset(b, in, member, depth - 1);
		if (inner != UINT64_MAX)
			return at + inner;
	}
	return UINT64_MAX;
}

uint64_t
kbtf_offset(const struct kbtf *b, const char *structure, const char *member)
{
	for (uint32_t id = 1; b && id <= b->n; id++) {
		const struct btf_type *t = type_at(b, id);
		if (BTF_INFO_KIND(t->info) != BTF_KIND_STRUCT || !is_named(b, t->name_off, structure))
			continue;
		uint64_t bits = member_offset(b, t, member, 8);
		if (bits != UINT64_MAX)
			return bits / 8;
	}
	return UINT64_MAX;
}

/* Each is a type `btf_trace_NAME`: a pointer to a function of an internal first argument and its own. */
void
kbtf_tracepoints(const struct kbtf *b, void (*fn)(void *arg, const char *name, unsigned nargs), void *arg)
{
	static const char prefix[] = "btf_trace_";
	for (uint32_t id = 1; b && id <= b->n; id++) {
		const struct btf_type *t = type_at(b, id), *ptr, *proto;
		const char *name = b->at + b->h->hdr_len + b->h->str_off + t->name_off;
		if (BTF_INFO_KIND(t->info) != BTF_KIND_TYPEDEF || t->name_off >= b->h->str_len ||
		    strncmp(name, prefix, sizeof prefix - 1) != 0)
			continue;
		if (!(ptr = type_at(b, t->type)) || !(proto = type_at(b, ptr->type)) ||
		    BTF_INFO_KIND(proto->info) != BTF_KIND_FUNC_PROTO || BTF_INFO_VLEN(proto->info) < 1)
			continue;
		fn(arg, name + sizeof prefix - 1, BTF_INFO_VLEN(proto->info) - 1);
	}
}
