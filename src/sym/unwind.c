/* Unwinding data of ELF files; see unwind.h. */
#include "sym/unwind.h"

#include "arch/arch.h"
#include "arch/code.h"
#include "sym/slow.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PHDRS = 64, MAX_ROWS = 1 << 20, MAX_STATES = 8, MAX_BYTES = 64 << 20, MAX_DISTANCE = 1 << 27 };
enum { REG_JUMPS = 1000 };                                    /* not a register: UNWIND_PLT */
enum { PE_SDATA4 = 0x0b, PE_UDATA4 = 0x03, PE_PCREL = 0x10 }; /* DW_EH_PE_… */

struct bytes {
	const unsigned char *at, *end;
	bool bad;
};

static uint64_t
fixed(struct bytes *b, size_t n)
{
	uint64_t v = 0;
	if ((size_t)(b->end - b->at) < n) {
		b->bad = true;
		b->at = b->end;
		return 0;
	}
	memcpy(&v, b->at, n);
	b->at += n;
	return v;
}

static uint64_t
uleb(struct bytes *b)
{
	uint64_t v = 0, byte;
	unsigned shift = 0;
	do {
		byte = fixed(b, 1);
		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !b->bad);
	return v;
}

static int64_t
sleb(struct bytes *b)
{
	uint64_t v = 0, byte;
	unsigned shift = 0;
	do {
		byte = fixed(b, 1);
		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !b->bad);
	if (shift < 64 && byte & 0x40)
		v |= ~(uint64_t)0 << shift;
	return (int64_t)v;
}

static void
skip(struct bytes *b, uint64_t n)
{
	if ((uint64_t)(b->end - b->at) < n) {
		b->bad = true;
		n = (uint64_t)(b->end - b->at);
	}
	b->at += n;
}

/* ---- the rules ---- */

/* What a common entry (CIE) says for its functions. */
struct unwind_common {
	uint64_t code_align;
	int64_t data_align;
	unsigned encoding; /* of addresses */
	bool has_data;     /* augmentation data in each function's entry */
	bool is_known;
	struct bytes rules;
};

struct rules {
	unsigned reg;
	int64_t cfa, ra, fp, process, stack;
	bool is_known, is_end;
};

struct program {
	struct unwind *u;
	size_t cap;
	const struct unwind_common *c;
	uint64_t pc;
	struct rules now, first, saved[MAX_STATES];
	unsigned nsaved;
	bool ok;
};

/* A multiple of the file's unit of data. Both are the file's numbers, so it may wrap. */
static int64_t
units(const struct program *p, int64_t n)
{
	return (int64_t)((uint64_t)n * (uint64_t)p->c->data_align);
}

static int16_t
offset_of(int64_t v)
{
	return v < -32760 || v > 32760 ? (int16_t)UNWIND_LOST : (int16_t)v;
}

static void
add_row(struct program *p)
{
	struct unwind *u = p->u;
	struct rules *r = &p->now;
	enum unwind_base base = UNWIND_UNKNOWN;
	int32_t cfa = 0;
	if (r->is_end)
		base = UNWIND_END;
	else if (r->is_known && r->cfa >= -MAX_DISTANCE && r->cfa <= MAX_DISTANCE) {
		cfa = (int32_t)r->cfa;
		base = r->reg == ARCH_DW_SP   ? UNWIND_SP
		       : r->reg == ARCH_DW_FP ? UNWIND_FP
		       : r->reg == REG_JUMPS  ? UNWIND_PLT
					      : UNWIND_UNKNOWN;
	}
	struct unwind_row row = {.pc = (uint32_t)p->pc,
	    .cfa = (base == UNWIND_UNKNOWN ? 0 : cfa) * (1 << UNWIND_BASE_BITS) + (int32_t)base,
	    .ra = offset_of(r->ra),
	    .fp = offset_of(r->fp),
	    .process = offset_of(r->process),
	    .stack = offset_of(r->stack)};
	if (p->pc > UINT32_MAX)
		return;
	if (u->n && u->rows[u->n - 1].pc == row.pc)
		u->n--;
	if (u->n == p->cap) {
		size_t cap = p->cap ? p->cap * 2 : 4096;
		struct unwind_row *rows = cap <= MAX_ROWS ? realloc(u->rows, cap * sizeof *rows) : NULL;
		if (!rows) {
			p->ok = false;
			return;
		}
		u->rows = rows;
		p->cap = cap;
	}
	u->rows[u->n++] = row;
}

/* Returns where the rules keep what they say about a register, or NULL if nobody needs it. */
static int64_t *
rule_of(struct rules *r, uint64_t reg)
{
	return reg == ARCH_DW_RA        ? &r->ra
	       : reg == ARCH_DW_FP      ? &r->fp
	       : reg == ARCH_DW_PROCESS ? &r->process
	       : reg == ARCH_DW_STACK   ? &r->stack
					: NULL;
}

static void
saved_at(struct rules *r, uint64_t reg, int64_t off)
{
	int64_t *rule = rule_of(r, reg);
	if (rule)
		*rule = off;
}

static void
restore(struct program *p, uint64_t reg)
{
	int64_t *rule = rule_of(&p->now, reg);
	if (rule)
		*rule = *rule_of(&p->first, reg);
}

static void
advance(struct program *p, uint64_t by, bool emits)
{
	if (emits)
		add_row(p);
	p->pc += by * p->c->code_align;
}

/* The one expression that is known is what linkers write for jumps to other libraries. */
static void
cfa_expression(struct rules *r, struct bytes *b, uint64_t len)
{
	const unsigned char *at = b->at;
	skip(b, len);
	int jumps = b->bad ? -1 : ARCH_CODE.jumps(at, (size_t)len);
	r->is_known = jumps >= 0;
	if (r->is_known) {
		r->reg = REG_JUMPS;
		r->cfa = jumps;
	}
}

/* Rules that a walker need not know are read over; a rule that it cannot follow makes the place unknown. */
static void
extended(struct program *p, struct bytes *b, unsigned op, bool emits)
{
	struct rules *r = &p->now;
	uint64_t reg;
	switch (op) {
	case 0x00: /* nop */
		break;
	case 0x01: /* set_loc */
		b->bad = true;
		break;
	case 0x02: /* advance_loc1, 2, 4 */
		advance(p, fixed(b, 1), emits);
		break;
	case 0x03:
		advance(p, fixed(b, 2), emits);
		break;
	case 0x04:
		advance(p, fixed(b, 4), emits);
		break;
	case 0x05: /* offset_extended */
		reg = uleb(b);
		saved_at(r, reg, units(p, (int64_t)uleb(b)));
		break;
	case 0x06: /* restore_extended */
		restore(p, uleb(b));
		break;
	case 0x07: /* undefined */
		reg = uleb(b);
		if (reg == ARCH_DW_RA)
			r->is_end = true;
		else
			saved_at(r, reg, UNWIND_LOST);
		break;
	case 0x08: /* same_value */
		saved_at(r, uleb(b), 0);
		break;
	case 0x09: /* register */
		reg = uleb(b);
		uleb(b);
		saved_at(r, reg, UNWIND_LOST);
		break;
	case 0x0a: /* remember_state */
		if (p->nsaved == MAX_STATES)
			b->bad = true;
		else
			p->saved[p->nsaved++] = *r;
		break;
	case 0x0b: /* restore_state */
		if (p->nsaved == 0)
			b->bad = true;
		else
			*r = p->saved[--p->nsaved];
		break;
	case 0x0c: /* def_cfa */
		r->reg = (unsigned)uleb(b);
		r->cfa = (int64_t)uleb(b);
		r->is_known = true;
		break;
	case 0x0d: /* def_cfa_register */
		r->reg = (unsigned)uleb(b);
		break;
	case 0x0e: /* def_cfa_offset */
		r->cfa = (int64_t)uleb(b);
		break;
	case 0x0f: /* def_cfa_expression */
		cfa_expression(r, b, uleb(b));
		break;
	case 0x10: /* expression, val_expression */
	case 0x16:
		reg = uleb(b);
		skip(b, uleb(b));
		saved_at(r, reg, UNWIND_LOST);
		break;
	case 0x11: /* offset_extended_sf */
		reg = uleb(b);
		saved_at(r, reg, units(p, sleb(b)));
		break;
	case 0x12: /* def_cfa_sf */
		r->reg = (unsigned)uleb(b);
		r->cfa = units(p, sleb(b));
		r->is_known = true;
		break;
	case 0x13: /* def_cfa_offset_sf */
		r->cfa = units(p, sleb(b));
		break;
	case 0x2d: /* AARCH64_negate_ra_state: the return address is signed from here on, or no longer */
		break;
	case 0x2e: /* GNU_args_size */
		uleb(b);
		break;
	default:
		b->bad = true;
	}
}

static void
run(struct program *p, struct bytes b, bool emits)
{
	while (b.at < b.end && !b.bad && p->ok) {
		unsigned op = (unsigned)fixed(&b, 1), low = op & 0x3f;
		switch (op >> 6) {
		case 1:
			advance(p, low, emits);
			break;
		case 2:
			saved_at(&p->now, low, units(p, (int64_t)uleb(&b)));
			break;
		case 3:
			restore(p, low);
			break;
		default:
			extended(p, &b, op, emits);
		}
	}
	if (b.bad)
		p->now = (struct rules){0};
}

/* ---- the entries ---- */

static struct unwind_common
take_common(struct bytes b)
{
	struct unwind_common c = {0};
	unsigned version = (unsigned)fixed(&b, 1);
	const char *aug = (const char *)b.at;
	size_t len = strnlen(aug, (size_t)(b.end - b.at));
	skip(&b, len + 1);
	c.code_align = uleb(&b);
	c.data_align = sleb(&b);
	if (version == 1)
		skip(&b, 1);
	else
		uleb(&b);
	c.is_known = (version == 1 || version == 3) && !b.bad;
	c.encoding = 0;
	if (c.is_known && aug[0] == 'z') {
		uint64_t n = uleb(&b);
		struct bytes data = {b.at, b.at, false};
		skip(&b, n);
		data.end = b.at;
		c.has_data = true;
		for (const char *a = aug + 1; *a && c.is_known; a++) {
			if (*a == 'R')
				c.encoding = (unsigned)fixed(&data, 1);
			else if (*a == 'L')
				skip(&data, 1);
			else if (*a == 'P') {
				unsigned how = (unsigned)fixed(&data, 1) & 0x0f;
				skip(&data, how == PE_SDATA4 || how == PE_UDATA4 ? 4 : 8);
			} else if (*a != 'S' && *a != 'B') /* B: of arm64, how return addresses are signed */
				c.is_known = false;
		}
		c.is_known &= !data.bad;
	} else if (aug[0])
		c.is_known = false;
	c.is_known &= !b.bad && c.encoding == (PE_PCREL | PE_SDATA4);
	c.rules = b;
	return c;
}

struct entry {
	uint64_t pc, size;
	struct unwind_common c;
	struct bytes rules;
};

static int
by_pc(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	return (x->pc > y->pc) - (x->pc < y->pc);
}

/* Takes the entries of all functions, in the order of the file. `addr` is the address of `data`. */
static struct entry *
take_entries(const unsigned char *data, size_t n, uint64_t addr, size_t *count, struct spending *sp)
{
	struct entry *list = NULL;
	size_t cap = 0;
	struct bytes b = {data, data + n, false};
	*count = 0;
	while (b.end - b.at >= 8 && spend_time(sp)) {
		uint64_t len = fixed(&b, 4);
		if (len < 4 || len > (uint64_t)(b.end - b.at))
			break; /* the end, or what nobody writes */
		const unsigned char *at = b.at;
		struct bytes e = {at, at + len, false};
		b.at += len;
		uint64_t id = fixed(&e, 4);
		if (id == 0 || id > (uint64_t)(at - data))
			continue;
		/* The common entry is that many bytes in front of this number. */
		struct bytes head = {at - id, data + n, false};
		uint64_t clen = fixed(&head, 4);
		if (clen < 4 || clen > (uint64_t)(head.end - head.at))
			continue;
		head.end = head.at + clen;
		if (fixed(&head, 4) != 0)
			continue;
		struct unwind_common c = take_common(head);
		uint64_t here = addr + (uint64_t)(e.at - data);
		uint64_t pc = here + (uint64_t)(int64_t)(int32_t)fixed(&e, 4), size = fixed(&e, 4);
		if (c.has_data)
			skip(&e, uleb(&e));
		if (!c.is_known || e.bad || size == 0)
			continue;
		if (*count == cap) {
			cap = cap ? cap * 2 : 1024;
			struct entry *p = cap <= MAX_ROWS ? realloc(list, cap * sizeof *p) : NULL;
			if (!p)
				break;
			list = p;
		}
		list[(*count)++] = (struct entry){pc, size, c, e};
	}
	return list;
}

static bool
make_rows(struct unwind *u, struct entry *list, size_t n, struct spending *sp)
{
	struct program p = {.u = u, .ok = true};
	if (n)
		qsort(list, n, sizeof *list, by_pc);
	for (size_t i = 0; i < n && p.ok && spend_time(sp); i++) {
		const struct entry *e = &list[i];
		p.c = &e->c;
		p.pc = e->pc;
		p.nsaved = 0;
		p.now = p.first = (struct rules){0};
		run(&p, e->c.rules, false);
		p.first = p.now;
		p.pc = e->pc;
		run(&p, e->rules, true);
		if (p.pc < e->pc + e->size)
			add_row(&p);
		/* What is between functions belongs to none. */
		p.pc = e->pc + e->size;
		p.now = (struct rules){0};
		if (i + 1 == n || list[i + 1].pc > p.pc)
			add_row(&p);
	}
	for (size_t i = 1; i < u->n; i++)
		p.ok &= u->rows[i - 1].pc < u->rows[i].pc;
	return p.ok && u->n > 0 && !sp->over;
}

/* ---- the file ---- */

static bool
read_at(int fd, uint64_t off, void *to, size_t n, struct spending *sp)
{
	for (size_t done = 0; done < n;) {
		ssize_t got = slow_pread(sp, fd, (char *)to + done, n - done, (off_t)(off + done));
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

bool
unwind_read(struct unwind *u, int fd, uint64_t off, struct spending *sp)
{
	Elf64_Ehdr eh;
	Elf64_Phdr ph[MAX_PHDRS] = {{0}}, *index = NULL, *holds = NULL;
	unsigned char hdr[8];
	bool has_code = false;
	*u = (struct unwind){0};
	if (!read_at(fd, 0, &eh, sizeof eh, sp) || memcmp(eh.e_ident, ELFMAG, SELFMAG) != 0 ||
	    eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_phentsize != sizeof *ph || eh.e_phnum > MAX_PHDRS ||
	    !read_at(fd, eh.e_phoff, ph, eh.e_phnum * sizeof *ph, sp))
		return false;
	for (unsigned i = 0; i < eh.e_phnum; i++) {
		if (ph[i].p_type == PT_GNU_EH_FRAME)
			index = &ph[i];
		if (ph[i].p_type == PT_LOAD && ph[i].p_flags & PF_X && off >= (ph[i].p_offset & ~0xfffull) &&
		    off < ph[i].p_offset + ph[i].p_filesz) {
			u->delta = ph[i].p_vaddr - ph[i].p_offset;
			has_code = true;
		}
	}
	/* The index begins with version and encodings, then where .eh_frame is, as a distance from there. */
	if (!index || !has_code || !read_at(fd, index->p_offset, hdr, sizeof hdr, sp) || hdr[0] != 1 ||
	    hdr[1] != (PE_PCREL | PE_SDATA4))
		return false;
	int32_t distance;
	memcpy(&distance, hdr + 4, sizeof distance);
	uint64_t addr = index->p_vaddr + 4 + (uint64_t)(int64_t)distance;
	for (unsigned i = 0; i < eh.e_phnum; i++)
		if (ph[i].p_type == PT_LOAD && addr >= ph[i].p_vaddr && addr - ph[i].p_vaddr < ph[i].p_filesz)
			holds = &ph[i];
	uint64_t n = holds ? holds->p_vaddr + holds->p_filesz - addr : 0;
	unsigned char *data = n && n <= MAX_BYTES && spend(sp, SPEND_BYTES, n) ? malloc((size_t)n) : NULL;
	bool ok = false;
	if (data && read_at(fd, holds->p_offset + (addr - holds->p_vaddr), data, (size_t)n, sp)) {
		size_t count;
		struct entry *list = take_entries(data, (size_t)n, addr, &count, sp);
		ok = make_rows(u, list, count, sp);
		free(list);
	}
	free(data);
	if (!ok) {
		free(u->rows);
		u->rows = NULL;
		u->n = 0;
	}
	return ok;
}
