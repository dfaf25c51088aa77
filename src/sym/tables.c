/* Perf maps and kallsyms; see tables.h. */
#include "sym/tables.h"

#include "sym/slow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_ROWS = 4 << 20, MAX_JIT_ROWS = 1 << 20, MAX_NAME = 1000 };

static bool
add_text(struct symtable *t, const char *s, size_t len, uint32_t *at)
{
	if (len > MAX_NAME)
		len = MAX_NAME;
	if (t->len + len + 1 > UINT32_MAX)
		return false;
	if (t->len + len + 1 > t->room) {
		size_t room = t->room ? t->room * 2 : 4096;
		while (room < t->len + len + 1)
			room *= 2;
		char *p = realloc(t->text, room);
		if (!p)
			return false;
		t->text = p;
		t->room = room;
	}
	*at = (uint32_t)t->len;
	/* Names end up on terminals. */
	for (size_t i = 0; i < len; i++)
		t->text[t->len++] = (unsigned char)s[i] < 0x20 || s[i] == 0x7f ? '?' : s[i];
	t->text[t->len++] = '\0';
	return true;
}

bool
symtable_add(struct symtable *t, uint64_t start, uint64_t size, const char *name, size_t namelen)
{
	if (t->n >= MAX_ROWS)
		return true;
	if (t->n == t->cap) {
		size_t cap = t->cap ? t->cap * 2 : 256;
		struct symrow *p = realloc(t->rows, cap * sizeof *p);
		if (!p)
			return false;
		t->rows = p;
		t->cap = cap;
	}
	struct symrow *r = &t->rows[t->n];
	*r = (struct symrow){.start = start, .size = size, .seq = (uint32_t)t->n};
	if (!add_text(t, name, namelen, &r->name))
		return false;
	t->n++;
	return true;
}

/* Reads digits up to a blank. Returns NULL if there is no such number. */
static const char *
hex(const char *s, const char *end, uint64_t *v)
{
	const char *from = s;
	*v = 0;
	if (end - s > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		from = s += 2;
	for (; s < end; s++) {
		unsigned d = (unsigned char)*s;
		if (d >= '0' && d <= '9')
			d -= '0';
		else if ((d | 32) >= 'a' && (d | 32) <= 'f')
			d = (d | 32) - 'a' + 10;
		else
			break;
		if (*v >> 60)
			return NULL;
		*v = *v << 4 | d;
	}
	if (s == from || s == end || (*s != ' ' && *s != '\t'))
		return NULL;
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	return s;
}

static int
cmp_rows(const void *a, const void *b)
{
	const struct symrow *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

void
symtable_sort(struct symtable *t)
{
	for (size_t i = 1; i < t->n; i++)
		if (cmp_rows(&t->rows[i - 1], &t->rows[i]) > 0) {
			qsort(t->rows, t->n, sizeof *t->rows, cmp_rows);
			return;
		}
}

bool
perfmap_parse(struct symtable *t, const char *text, size_t len, struct spending *sp)
{
	const char *end = text + len;
	for (const char *p = text, *next; p < end; p = next) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *stop = nl ? nl : end;
		uint64_t start, size;
		next = nl ? nl + 1 : end;
		const char *s = hex(p, stop, &start);
		if (s)
			s = hex(s, stop, &size);
		if (sp && !spend_time(sp))
			break;
		if (!s || s == stop || size == 0 || t->n >= MAX_JIT_ROWS)
			continue;
		/* Erlang's functions: "$lists:seq/2" */
		if (*s == '$' && memchr(s, ':', (size_t)(stop - s)))
			s++;
		if (!symtable_add(t, start, size, s, (size_t)(stop - s)))
			return false;
	}
	symtable_sort(t);
	return true;
}

bool
kallsyms_parse(struct symtable *t, const char *text, size_t len)
{
	const char *end = text + len;
	uint32_t kernel, module = 0;
	const char *last = NULL; /* module of the row before: rows of one module follow each other */
	size_t lastlen = 0;
	if (!add_text(t, "vmlinux", 7, &kernel))
		return false;
	for (const char *p = text, *next; p < end; p = next) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *stop = nl ? nl : end;
		uint64_t start;
		next = nl ? nl + 1 : end;
		const char *s = hex(p, stop, &start);
		if (!s || stop - s < 3 || start == 0 || *s == 'a' || *s == 'A')
			continue;
		const char *name = s + 2, *mod = NULL, *close = NULL;
		for (s = name; s < stop && *s != '\t' && *s != ' ';)
			s++;
		size_t namelen = (size_t)(s - name);
		for (; s < stop; s++) {
			if (*s == '[' && !mod)
				mod = s;
			if (*s == ']' && mod)
				close = s;
		}
		if (!namelen || !symtable_add(t, start, 0, name, namelen)) {
			if (!namelen)
				continue;
			return false;
		}
		t->rows[t->n - 1].module = kernel;
		if (!close)
			continue;
		size_t modlen = (size_t)(close - mod - 1);
		if (!last || lastlen != modlen || memcmp(last, mod + 1, modlen) != 0) {
			if (!add_text(t, mod + 1, modlen, &module))
				return false;
			last = mod + 1;
			lastlen = modlen;
		}
		t->rows[t->n - 1].module = module;
	}
	symtable_sort(t);
	return true;
}

void
symtable_free(struct symtable *t)
{
	free(t->rows);
	free(t->text);
	*t = (struct symtable){0};
}

const struct symrow *
symtable_find(const struct symtable *t, uint64_t addr)
{
	size_t lo = 0, hi = t->n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (t->rows[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0)
		return NULL;
	const struct symrow *best = &t->rows[lo - 1];
	if (best->size == 0) {
		/* Of several names, takes the first that the kernel gives. */
		while (best > t->rows && best[-1].start == best->start)
			best--;
		return best;
	}
	/* Replaced code stays in the map, so the newest line counts. */
	best = NULL;
	for (size_t i = lo, steps = 0; i > 0 && steps < 64; i--, steps++) {
		const struct symrow *r = &t->rows[i - 1];
		if (addr - r->start < r->size && (!best || r->seq > best->seq))
			best = r;
	}
	return best;
}

char *
sym_read_fd(int fd, size_t most, struct spending *sp, size_t *len)
{
	struct stat st;
	*len = 0;
	if (!slow_stat(sp, fd, &st))
		return NULL;
	size_t cap = st.st_size > 0 && (size_t)st.st_size < most ? (size_t)st.st_size + 4096 : 64 << 10;
	char *p = malloc(cap + 1);
	while (p && *len < most) {
		if (*len == cap) {
			char *bigger = realloc(p, cap * 2 + 1);
			if (!bigger) {
				free(p);
				p = NULL;
				break;
			}
			p = bigger;
			cap *= 2;
		}
		size_t want = cap - *len < most - *len ? cap - *len : most - *len;
		ssize_t n = slow_pread(sp, fd, p + *len, want, (off_t)*len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		*len += (size_t)n;
	}
	if (p)
		p[*len] = '\0';
	return p;
}

char *
sym_read_file(const char *path, size_t most, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat st;
	char *p = NULL;
	*len = 0;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		p = sym_read_fd(fd, most, NULL, len);
	else
		errno = EINVAL;
	close(fd);
	return p;
}
