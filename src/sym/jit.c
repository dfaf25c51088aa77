/*
 * The VM's list of modules; see jit.h.
 *
 * What is read, with the lowest byte of a number first:
 *
 *   descriptor  u32 version (1), u32 action, pointer to the entry that changes, pointer to the first entry
 *   entry       pointers to the next and the previous entry, pointer to the data, u64 bytes of data
 *   data        u32 kind, u32 -, and for the VM: u32 whether it has frame pointers, u32 -, u64 address where a process
 *               returns to when its first function ends; for a module: u64 start, u32 ranges, u32 bytes of code, u16
 *               bytes of the name; 32 bytes so far, as many as the name has, then the ranges:
 *   range       u32 start, u32 end, u32 lines, u16 bytes of the name, the name; as many bytes as 16 and the name, then
 *               the lines
 *   line        u32 start, u32 number, u16 bytes of the file's name, the name; as many bytes as 12 and the name
 *
 * New entries come to the front of the list. Up to OTP 25 those of purged modules stay in it.
 */
#include "sym/jit.h"

#include "arch/arch.h"

#include <stdlib.h>
#include <string.h>

enum {
	DESCRIPTOR = 24,
	ENTRY = 32,
	HEADER = 32,
	RANGE = 16,
	LINE = 12,
	MAX_ENTRIES = 1 << 16,
	MAX_DATA = 64 << 20, /* bytes of one module's data */
	MAX_ROWS = 1 << 20,
	MAX_TEXT = 64 << 20,
	MAX_CHANGED = 4096,
	MAX_NAME = 4096,
	LEAST_MODULES = 8, /* every VM has more before its first process runs */
	KIND_VM = 0,
	KIND_MODULE = 1
};

struct jit_entry {
	uint64_t at;
	uint64_t data, size;
	uint64_t start, end; /* of its code; 0 if it is not a module */
	uint64_t sum;        /* of the start of its data */
};

static uint64_t
u64_at(const unsigned char *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
	return v;
}

static uint32_t
u32_at(const unsigned char *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof v);
	return v;
}

static uint16_t
u16_at(const unsigned char *p)
{
	uint16_t v;
	memcpy(&v, p, sizeof v);
	return v;
}

/* ---- one module ---- */

/* Returns the bytes of a name that is a C string of exactly n bytes, or -1. */
static int
name_length(const unsigned char *p, size_t n)
{
	if (n < 1 || n > MAX_NAME || memchr(p, '\0', n) != p + n - 1)
		return -1;
	return (int)n - 1;
}

struct range {
	uint64_t start, end;
	const char *name;
	size_t len;
};

/* Returns the data behind a range at p, or NULL if it is not right. */
static const unsigned char *
take_range(const unsigned char *p, const unsigned char *stop, uint64_t base, uint32_t code, struct range *r)
{
	if (stop - p < RANGE)
		return NULL;
	uint32_t from = u32_at(p), to = u32_at(p + 4), lines = u32_at(p + 8);
	size_t len = u16_at(p + 12);
	int name = (size_t)(stop - p) >= RANGE + len ? name_length(p + 14, len) : -1;
	if (name < 0 || from > to || to > code)
		return NULL;
	*r = (struct range){base + from, base + to, (const char *)p + 14, (size_t)name};
	p += RANGE + len;
	for (uint32_t i = 0; i < lines; i++) {
		if (stop - p < LINE || (size_t)(stop - p) < (size_t)LINE + u16_at(p + 8))
			return NULL;
		p += LINE + u16_at(p + 8);
	}
	return p;
}

/* The data in front of a function's code has a range of its own, in front of it. */
static size_t
function_length(const struct range *r)
{
	static const char prologue[] = "-CodeInfoPrologue";
	size_t n = sizeof prologue - 1;
	return r->len > n && memcmp(r->name + r->len - n, prologue, n) == 0 ? r->len - n : r->len;
}

static bool
is_same_function(const struct range *a, const struct range *b)
{
	size_t n = function_length(a);
	return a->end == b->start && n == function_length(b) && memcmp(a->name, b->name, n) == 0;
}

static bool
add_range(struct jit *b, const struct range *r)
{
	if (r->end == r->start)
		return true;
	if (b->names.n >= MAX_ROWS || b->names.len >= MAX_TEXT)
		return false;
	return symtable_add(&b->names, r->start, r->end - r->start, r->name, function_length(r));
}

/* Adds the functions of a module, or only checks its data if `adds` is false. */
static bool
take_ranges(struct jit *b, const unsigned char *data, size_t size, bool adds)
{
	const unsigned char *p = data + HEADER, *stop = data + size;
	uint64_t base = u64_at(data + 8);
	uint32_t n = u32_at(data + 16), code = u32_at(data + 20);
	size_t len = u16_at(data + 24);
	if ((size_t)(stop - p) < len || name_length(data + 26, len) < 0 || n == 0 || base >> ARCH_USER_BITS)
		return false;
	struct range whole = {0};
	p += len;
	for (uint32_t i = 0; i < n; i++) {
		struct range r;
		p = take_range(p, stop, base, code, &r);
		if (!p || (i && r.start < whole.end))
			return false;
		if (i && is_same_function(&whole, &r)) {
			whole.end = r.end;
			continue;
		}
		if (i && adds && !add_range(b, &whole))
			return false;
		whole = r;
	}
	return p == stop && (!adds || add_range(b, &whole));
}

/* ---- the list ---- */

static int
cmp_entries(const void *a, const void *b)
{
	const struct jit_entry *x = a, *y = b;
	return (x->at > y->at) - (x->at < y->at);
}

static const struct jit_entry *
known(const struct jit *b, const struct jit_entry *e)
{
	/* NOLINTNEXTLINE: the analyzer does not see that jit_free() leaves no entries */
	const struct jit_entry *k = b->nentries ? bsearch(e, b->entries, b->nentries, sizeof *e, cmp_entries) : NULL;
	return k && k->data == e->data && k->size == e->size && k->sum == e->sum ? k : NULL;
}

static bool
mark_changed(struct jit *b, uint64_t start, uint64_t end)
{
	if (b->nchanged >= MAX_CHANGED)
		return false;
	struct jit_span *s = realloc(b->changed, (b->nchanged + 1) * sizeof *s);
	if (!s)
		return false;
	b->changed = s;
	s[b->nchanged++] = (struct jit_span){start, end};
	return true;
}

static bool
overlaps(const struct jit_entry *a, const struct jit_entry *b)
{
	return a->start < b->end && b->start < a->end;
}

/* Whether code of this module is to be left out: in the first look, what a newer module has replaced was purged. */
static bool
is_replaced(const struct jit_entry *list, size_t n, const struct jit_entry *e)
{
	for (size_t i = 0; i < n; i++)
		if (overlaps(&list[i], e))
			return true;
	return false;
}

/* Finds what of the code of a new module belonged to another one since the first look. */
static bool
compare(struct jit *b, const struct jit_entry *e)
{
	uint64_t from = UINT64_MAX, to = 0;
	for (size_t i = 0; i < b->names.n; i++) {
		const struct symrow *r = &b->names.rows[i];
		if (r->start < e->end && e->start < r->start + r->size) {
			from = r->start < from ? r->start : from;
			to = r->start + r->size > to ? r->start + r->size : to;
		}
	}
	if (to == 0)
		return true;
	return mark_changed(b, from > e->start ? from : e->start, to < e->end ? to : e->end);
}

struct jit_reading {
	struct jit *b;
	const struct jit_memory *m;
	struct spending *sp;
	struct jit_entry *list; /* the new list */
	size_t n, cap;
	unsigned modules;
	bool has_vm;
};

static bool
take_vm(struct jit_reading *l, const unsigned char *head)
{
	uint64_t exit = u64_at(head + 16);
	uint32_t layout = u32_at(head + 8);
	if (layout > 1 || exit == 0 || exit & 3 || exit >> ARCH_USER_BITS)
		return false;
	l->b->has_frame_pointers = layout == 1;
	l->b->normal_exit = exit;
	l->has_vm = true;
	return true;
}

static bool
take_module(struct jit_reading *l, struct jit_entry *e)
{
	bool ok = false;
	if (e->size > MAX_DATA || !spend(l->sp, SPEND_BYTES, e->size) || !spend_look(l->sp))
		return false;
	unsigned char *data = malloc(e->size);
	/* Checked whole before anything of it is used. */
	if (data && l->m->read(l->m->arg, e->data, data, e->size) && take_ranges(l->b, data, e->size, false)) {
		ok = l->b->was_read ? compare(l->b, e) : true;
		if (ok && (l->b->was_read || !is_replaced(l->list, l->n, e)))
			ok = take_ranges(l->b, data, e->size, true);
	}
	free(data);
	return ok;
}

/* Takes the entry at e->at. Returns false if it is not one; *next is the one behind it. */
static bool
take_entry(struct jit_reading *l, struct jit_entry *e, uint64_t *next)
{
	unsigned char entry[ENTRY], head[HEADER] = {0};
	if (!l->m->read(l->m->arg, e->at, entry, ENTRY))
		return false;
	*next = u64_at(entry);
	e->data = u64_at(entry + 16);
	e->size = u64_at(entry + 24);
	if (e->data >> ARCH_USER_BITS || e->size < HEADER || !l->m->read(l->m->arg, e->data, head, HEADER))
		return false;
	if (u32_at(head) == KIND_VM)
		return e->size <= 64 && take_vm(l, head);
	if (u32_at(head) != KIND_MODULE || e->size > MAX_DATA)
		return false;
	e->start = u64_at(head + 8);
	e->end = e->start + u32_at(head + 20);
	e->sum = u64_at(head + 16) * 31 + u64_at(head + 24);
	if (!known(l->b, e) && !take_module(l, e))
		return false;
	l->modules++;
	return true;
}

static bool
keep_entry(struct jit_reading *l, const struct jit_entry *e)
{
	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 256;
		struct jit_entry *p = cap <= MAX_ENTRIES ? realloc(l->list, cap * sizeof *p) : NULL;
		if (!p)
			return false;
		l->list = p;
		l->cap = cap;
	}
	l->list[l->n++] = *e;
	return true;
}

static bool
read_descriptor(const struct jit *b, const struct jit_memory *m, uint64_t *first, uint64_t head[4])
{
	unsigned char d[DESCRIPTOR];
	if (!m->read(m->arg, b->descriptor, d, sizeof d) || u32_at(d) != 1 || u32_at(d + 4) > 2)
		return false;
	*first = u64_at(d + 16);
	return *first && m->read(m->arg, *first, head, 4 * sizeof *head);
}

static bool
read_list(struct jit *b, const struct jit_memory *m, uint64_t first, struct spending *sp)
{
	struct jit_reading l = {.b = b, .m = m, .sp = sp};
	uint64_t next = first;
	bool ok = true;
	b->nreads++;
	while (next && ok) {
		struct jit_entry e = {.at = next};
		ok = spend_time(sp) && take_entry(&l, &e, &next) && keep_entry(&l, &e);
	}
	symtable_sort(&b->names);
	ok = ok && l.has_vm && l.modules >= LEAST_MODULES;
	if (!ok) {
		free(l.list);
		return false;
	}
	qsort(l.list, l.n, sizeof *l.list, cmp_entries);
	free(b->entries);
	b->entries = l.list;
	b->nentries = l.n;
	b->was_read = true;
	return true;
}

bool
jit_follow(struct jit *b, const struct jit_memory *m, struct spending *sp)
{
	/* The VM may change the list meanwhile: then what was read ends in the middle of nothing, and is read again. */
	for (unsigned i = 0; i < 3; i++) {
		uint64_t first, head[4], again, head2[4];
		if (!read_descriptor(b, m, &first, head))
			return false;
		if (b->was_read && first == b->first && memcmp(head, b->head, sizeof head) == 0)
			return true;
		if (read_list(b, m, first, sp) && read_descriptor(b, m, &again, head2) && again == first) {
			b->first = first;
			memcpy(b->head, head, sizeof head);
			return true;
		}
		if (!b->was_read)
			symtable_free(&b->names);
		if (sp->over)
			break;
	}
	return false;
}

bool
jit_look(struct jit *b, const struct jit_memory *m, const void *data, size_t n, uint64_t at, struct spending *sp)
{
	const unsigned char *p = data;
	for (size_t i = 0; i + DESCRIPTOR <= n; i += 8) {
		uint64_t first = u64_at(p + i + 16);
		if (u32_at(p + i) != 1 || u32_at(p + i + 4) > 2 || first < 4096 || first & 7 || first >> ARCH_USER_BITS)
			continue;
		b->descriptor = at + i;
		if (jit_follow(b, m, sp))
			return true;
		jit_free(b);
	}
	return false;
}

/* ---- lookups ---- */

static bool
has_changed(const struct jit *b, uint64_t addr)
{
	for (size_t i = 0; i < b->nchanged; i++)
		if (addr >= b->changed[i].start && addr < b->changed[i].end)
			return true;
	return false;
}

/* Returns whether at least two modules have code there, and agree on its name. */
static bool
all_agree(const struct jit *b, const struct symrow *found, uint64_t addr)
{
	unsigned n = 0;
	for (size_t i = 0; i < b->names.n; i++) {
		const struct symrow *r = &b->names.rows[i];
		if (r->start > addr)
			break;
		if (addr - r->start >= r->size)
			continue;
		if (strcmp(b->names.text + r->name, b->names.text + found->name) != 0)
			return false;
		n++;
	}
	return n > 1;
}

const struct symrow *
jit_find(const struct jit *b, uint64_t addr)
{
	const struct symrow *r = symtable_find(&b->names, addr);
	/* A function begins with data. So this is where a call at the end of the function before it returns to. */
	if (r && r->start == addr) {
		r = symtable_find(&b->names, addr - 1);
		addr--;
	}
	return r && has_changed(b, addr) && !all_agree(b, r, addr) ? NULL : r;
}

void
jit_free(struct jit *b)
{
	symtable_free(&b->names);
	free(b->entries);
	free(b->changed);
	*b = (struct jit){0};
}
