/* Searches /proc/kallsyms; see ksyms.h. A line is "ffffffff81000000 T name" or "… name\t[module]". */
#include "sym/ksyms.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 64 << 20, LONGEST = 1024 };

struct ksyms {
	char *text;
	size_t len;
	bool hidden, data;
};

struct ksyms_line {
	uint64_t addr;
	char kind;
	const char *name, *module; /* module is NULL for the kernel itself */
	size_t namelen, modulelen;
};

/* Reads the line at `p` and returns where the next begins. */
static const char *
next_line(const char *p, const char *end, struct ksyms_line *l)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p)), *stop = nl ? nl : end;
	char *after;
	*l = (struct ksyms_line){0};
	l->addr = strtoull(p, &after, 16); /* the text ends with a NUL */
	if (stop - after >= 4 && after[0] == ' ' && after[2] == ' ') {
		l->kind = after[1];
		l->name = after + 3;
		while (l->name + l->namelen < stop && !isspace((unsigned char)l->name[l->namelen]))
			l->namelen++;
		const char *open = memchr(l->name + l->namelen, '[', (size_t)(stop - l->name) - l->namelen);
		if (open && stop[-1] == ']') {
			l->module = open + 1;
			l->modulelen = (size_t)(stop - 1 - l->module);
		}
	}
	return nl ? nl + 1 : end;
}

static void
look_at_kinds(struct ksyms *k)
{
	struct ksyms_line l;
	bool any = false;
	k->hidden = true;
	for (const char *p = k->text, *end = p + k->len; p < end && (k->hidden || !k->data);) {
		p = next_line(p, end, &l);
		if (!l.name)
			continue;
		any = true;
		k->hidden &= l.addr == 0;
		/* A kernel that does not list its variables still lists marks of the linker, but those are all
		 * global. */
		k->data |= l.kind == 'd' || l.kind == 'b';
	}
	k->hidden &= any;
}

struct ksyms *
ksyms_open(const char *path)
{
	size_t cap = 0;
	struct ksyms *k = calloc(1, sizeof *k);
	FILE *f = k ? fopen(path ? path : KSYMS_PATH, "re") : NULL;
	bool ok = f != NULL;
	for (size_t n = 1; ok && n; k->len += n) {
		if (cap - k->len < 2) {
			char *more = cap < MAX_TEXT ? realloc(k->text, cap = cap ? cap * 2 : 1 << 20) : NULL;
			ok = more != NULL;
			k->text = more ? more : k->text;
		}
		n = ok ? fread(k->text + k->len, 1, cap - k->len - 1, f) : 0;
	}
	int err = errno;
	if (f)
		fclose(f);
	if (!ok) {
		ksyms_close(k);
		errno = err;
		return NULL;
	}
	k->text[k->len] = '\0';
	look_at_kinds(k);
	return k;
}

void
ksyms_close(struct ksyms *k)
{
	if (k)
		free(k->text);
	free(k);
}

bool
ksyms_are_hidden(const struct ksyms *k)
{
	return k->hidden;
}

bool
ksyms_have_data(const struct ksyms *k)
{
	return k->data;
}

static bool
is_of(const struct ksyms_line *l, const char *module)
{
	if (!*module)
		return true;
	if (strcmp(module, "vmlinux") == 0)
		return !l->module;
	return l->module && strlen(module) == l->modulelen && memcmp(module, l->module, l->modulelen) == 0;
}

/* Searches for the whole name with the character that ends it, and goes back to the beginning of its line. */
static bool
find_ended(const struct ksyms *k, const char *module, const char *name, char by, struct ksym *out)
{
	char wanted[LONGEST + 3];
	size_t len = strlen(name);
	if (!len || len > LONGEST)
		return false;
	wanted[0] = ' ';
	memcpy(wanted + 1, name, len + 1);
	wanted[len + 1] = by;
	for (const char *p = k->text, *end = p + k->len; p < end;) {
		const char *at = memmem(p, (size_t)(end - p), wanted, len + 2);
		struct ksyms_line l;
		if (!at)
			return false;
		while (at > k->text && at[-1] != '\n')
			at--;
		p = next_line(at, end, &l);
		if (l.name && l.addr && l.namelen == len && memcmp(l.name, name, len) == 0 && is_of(&l, module)) {
			*out = (struct ksym){l.addr, strchr("tTwW", l.kind) != NULL};
			return true;
		}
	}
	return false;
}

/* The kernel's own symbols come first in the file and end their lines. Symbols of modules have the module behind
 * them. */
bool
ksyms_find(const struct ksyms *k, const char *module, const char *name, struct ksym *out)
{
	return find_ended(k, module, name, '\n', out) || find_ended(k, module, name, '\t', out);
}
