/*
 * Code about x86-64; see code.h.
 *
 * Lengths of instructions are by the tables of opcodes in the processor's manual (64-bit mode only). A probe may be set
 * only where one begins.
 */
#include "arch/x86_64.h"

#include "arch/code.h"

#include <ctype.h>
#include <string.h>

enum {
	M = 1,  /* has a ModRM byte */
	B = 2,  /* an immediate byte */
	Z = 4,  /* an immediate of 4 bytes, 2 with the prefix 66 */
	W = 8,  /* an immediate of 2 bytes */
	D = 16, /* a displacement of 4 bytes */
	X = 32, /* not an instruction in this mode */
};

#define ALU M, M, M, M, B, Z, X, X
#define R8(v) v, v, v, v, v, v, v, v

static const uint8_t one[256] = {
    ALU, ALU, ALU, ALU, ALU, ALU, ALU, ALU,                             /* 00: arithmetic */
    R8(0), R8(0), R8(0), R8(0),                                         /* 40: REX; 50: push, pop */
    X, X, X, M, X, X, X, X, Z, M | Z, B, M | B, 0, 0, 0, 0,             /* 60 */
    R8(B), R8(B),                                                       /* 70: short jumps */
    M | B, M | Z, X, M | B, M, M, M, M, R8(M),                          /* 80 */
    R8(0), 0, 0, X, 0, 0, 0, 0, 0,                                      /* 90 */
    0, 0, 0, 0, 0, 0, 0, 0, B, Z, 0, 0, 0, 0, 0, 0,                     /* a0: the first four have an address */
    R8(B), R8(Z),                                                       /* b0: mov */
    M | B, M | B, W, 0, X, X, M | B, M | Z, W | B, 0, W, 0, 0, B, X, 0, /* c0 */
    M, M, M, M, X, X, X, 0, R8(M),                                      /* d0 */
    R8(B), D, D, X, B, 0, 0, 0, 0,                                      /* e0 */
    X, 0, X, X, 0, 0, M, M, 0, 0, 0, 0, 0, 0, M, M,                     /* f0: f6 and f7 see below */
};

/* After 0f. */
static const uint8_t two[256] = {
    M, M, M, M, X, 0, 0, 0, 0, 0, X, 0, X, M, 0, M | B,     /* 00 */
    R8(M), R8(M),                                           /* 10 */
    M, M, M, M, X, X, X, X, R8(M),                          /* 20 */
    0, 0, 0, 0, 0, 0, X, 0, X, X, X, X, X, X, X, X,         /* 30: 38 and 3a see below */
    R8(M), R8(M), R8(M), R8(M), R8(M), R8(M),               /* 40, 50, 60 */
    M | B, M | B, M | B, M | B, M, M, M, 0, R8(M),          /* 70 */
    R8(D), R8(D),                                           /* 80: jumps */
    R8(M), R8(M),                                           /* 90 */
    0, 0, 0, M, M | B, M, X, X, 0, 0, 0, M, M | B, M, M, M, /* a0 */
    M, M, M, M, M, M, M, M, M, M, M | B, M, M, M, M, M,     /* b0 */
    M, M, M | B, M, M | B, M | B, M | B, M, R8(0),          /* c0 */
    R8(M), R8(M), R8(M), R8(M), R8(M), R8(M),               /* d0, e0, f0 */
};

struct reader {
	const uint8_t *p;
	size_t n, at;
	bool bad;
};

static uint8_t
next(struct reader *r)
{
	if (r->at >= r->n || r->at >= 15) {
		r->bad = true;
		return 0;
	}
	return r->p[r->at++];
}

/* Reads ModRM, SIB and displacement. Returns the ModRM byte. */
static uint8_t
modrm(struct reader *r)
{
	uint8_t m = next(r);
	unsigned mod = m >> 6, rm = m & 7;
	if (mod == 3)
		return m;
	unsigned disp = mod == 1 ? 1 : mod == 2 ? 4 : 0;
	if (rm == 4 && (next(r) & 7) == 5 && mod == 0)
		disp = 4;
	else if (rm == 5 && mod == 0)
		disp = 4;
	r->at += disp;
	return m;
}

/* VEX and EVEX: the map of the opcode, then the opcode. All have ModRM except vzeroupper. */
static void
vector(struct reader *r, unsigned map, bool evex)
{
	uint8_t op = next(r);
	if (!evex && map == 1 && op == 0x77)
		return;
	modrm(r);
	if (map == 3 || (map == 1 && ((op >= 0x70 && op <= 0x73) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6))))
		r->at++;
	if (map == 0 || map > 6)
		r->bad = true;
}

unsigned
x86_length(const uint8_t *p, size_t n)
{
	struct reader r = {p, n, 0, false};
	bool small = false, wide = false, addr32 = false, plain = false;
	uint8_t op;
	for (;;) {
		op = next(&r);
		if (op == 0x66)
			small = true;
		else if (op == 0x67)
			addr32 = true;
		else if (op != 0x26 && op != 0x2e && op != 0x36 && op != 0x3e && op != 0x64 && op != 0x65 &&
			 op != 0xf0 && op != 0xf2 && op != 0xf3)
			break;
		if (r.bad)
			return 0;
	}
	if (op >> 4 == 4) {
		wide = op & 8;
		op = next(&r);
	}
	unsigned how;
	if (op == 0x0f) {
		op = next(&r);
		if (op == 0x38 || op == 0x3a) {
			how = op == 0x3a ? M | B : M;
			next(&r);
		} else
			how = two[op];
	} else if (op == 0xc5) {
		next(&r);
		vector(&r, 1, false);
		how = 0;
	} else if (op == 0xc4) {
		unsigned map = next(&r) & 0x1f;
		next(&r);
		vector(&r, map, false);
		how = 0;
	} else if (op == 0x62) {
		unsigned map = next(&r) & 7;
		next(&r);
		next(&r);
		vector(&r, map, true);
		how = 0;
	} else {
		plain = true;
		how = one[op];
		if (op >= 0xa0 && op <= 0xa3)
			r.at += addr32 ? 4 : 8;
		if (op >= 0xb8 && op <= 0xbf && wide)
			r.at += 4;
	}
	if (how & X)
		return 0;
	if (how & M) {
		uint8_t m = modrm(&r);
		/* test has an immediate, the others of its group do not */
		if (plain && (op == 0xf6 || op == 0xf7) && (m >> 3 & 7) <= 1)
			how |= op == 0xf6 ? B : Z;
	}
	if (how & B)
		r.at += 1;
	if (how & W)
		r.at += 2;
	if (how & D)
		r.at += 4;
	if (how & Z)
		r.at += small && !wide ? 2 : 4;
	return r.bad || r.at > n || r.at > 15 ? 0 : (unsigned)r.at;
}

static bool
x86_begins(const uint8_t *code, size_t n, size_t at)
{
	size_t i = 0;
	while (i < at && i < n) {
		unsigned len = x86_length(code + i, n - i);
		if (!len)
			return false;
		i += len;
	}
	return i == at && at < n;
}

/* ---- operands of USDT probes ---- */

/* Names of a register by width, and its word in struct pt_regs. */
static const struct {
	const char *names[5]; /* 8, 4, 2, 1 bytes; bits 8 … 15 */
	uint8_t word;
} regs[] = {
    {{"rax", "eax", "ax", "al", "ah"}, PTW_AX},
    {{"rbx", "ebx", "bx", "bl", "bh"}, PTW_BX},
    {{"rcx", "ecx", "cx", "cl", "ch"}, PTW_CX},
    {{"rdx", "edx", "dx", "dl", "dh"}, PTW_DX},
    {{"rsi", "esi", "si", "sil", NULL}, PTW_SI},
    {{"rdi", "edi", "di", "dil", NULL}, PTW_DI},
    {{"rbp", "ebp", "bp", "bpl", NULL}, PTW_BP},
    {{"rsp", "esp", "sp", "spl", NULL}, PTW_SP},
    {{"r8", "r8d", "r8w", "r8b", NULL}, PTW_R8},
    {{"r9", "r9d", "r9w", "r9b", NULL}, PTW_R9},
    {{"r10", "r10d", "r10w", "r10b", NULL}, PTW_R10},
    {{"r11", "r11d", "r11w", "r11b", NULL}, PTW_R11},
    {{"r12", "r12d", "r12w", "r12b", NULL}, PTW_R12},
    {{"r13", "r13d", "r13w", "r13b", NULL}, PTW_R13},
    {{"r14", "r14d", "r14w", "r14b", NULL}, PTW_R14},
    {{"r15", "r15d", "r15w", "r15b", NULL}, PTW_R15},
    {{"rip", "eip", NULL, NULL, NULL}, PTW_IP},
};

/* Parses %reg at *s and moves behind it. */
static bool
parse_reg(const char **s, uint8_t *word, uint8_t *shift)
{
	const char *p = *s;
	size_t len = 0;
	if (*p++ != '%')
		return false;
	while (isalnum((unsigned char)p[len]))
		len++;
	for (unsigned i = 0; i < sizeof regs / sizeof *regs; i++)
		for (unsigned k = 0; k < 5; k++)
			if (regs[i].names[k] && strlen(regs[i].names[k]) == len &&
			    strncmp(regs[i].names[k], p, len) == 0) {
				*word = regs[i].word;
				*shift = k == 4 ? 8 : 0;
				*s = p + len;
				return true;
			}
	return false;
}

static bool
is_name(int c, bool first)
{
	return isalpha(c) || c == '_' || c == '.' || c == '$' || (!first && (isdigit(c) || c == '@'));
}

/* Parses numbers and at most one name, added up: "-8", "foo", "16+foo", "foo-4". An empty text is 0. */
static bool
parse_disp(const char **s, int64_t *disp, char *name, size_t size)
{
	uint64_t sum = 0;
	name[0] = '\0';
	while (**s && **s != '(') {
		int64_t v;
		if (usdt_number(s, &v)) {
			sum += (uint64_t)v;
			continue;
		}
		const char *p = **s == '+' ? *s + 1 : *s;
		size_t len = 0;
		while (is_name((unsigned char)p[len], len == 0))
			len++;
		if (!len || len >= size || name[0])
			return false;
		memcpy(name, p, len);
		name[len] = '\0';
		*s = p + len;
	}
	*disp = (int64_t)sum;
	return true;
}

/* (base), (base,index), (base,index,scale), (,index,scale) */
static bool
parse_address(const char **s, struct usdt_arg *a)
{
	uint8_t shift = 0;
	int64_t scale = 1;
	if (**s != '(')
		return **s == '\0';
	(*s)++;
	if (**s == '%' && (!parse_reg(s, &a->base, &shift) || shift))
		return false;
	if (**s == ',') {
		(*s)++;
		if (!parse_reg(s, &a->index, &shift) || shift || a->index == PTW_IP)
			return false;
		if (**s == ',') {
			(*s)++;
			if (!usdt_number(s, &scale))
				return false;
		}
	}
	a->scale = scale == 1 ? 0 : scale == 2 ? 1 : scale == 4 ? 2 : scale == 8 ? 3 : 0xff;
	return **s == ')' && (*s)[1] == '\0' && a->scale != 0xff;
}

static bool
x86_operand(const char *s, uint64_t pc, struct usdt_arg *a, usdt_symbol_f *sym, void *symarg)
{
	char name[128];
	uint64_t addr = 0;
	if (*s == '$') {
		s++;
		a->kind = USDT_CONST;
		return usdt_number(&s, &a->disp) && !*s;
	}
	if (*s == '%') {
		a->kind = USDT_REG;
		return parse_reg(&s, &a->base, &a->shift) && !*s;
	}
	a->kind = USDT_MEM;
	if (!*s || !parse_disp(&s, &a->disp, name, sizeof name) || !parse_address(&s, a))
		return false;
	if (name[0]) {
		if (!sym || !sym(symarg, name, &addr))
			return false;
		a->disp = (int64_t)((uint64_t)a->disp + addr);
		/* An address of the file. It is made relative to the probe, so that it holds wherever the process
		 * loads the file. */
		if (a->base == PTW_IP || a->base == USDT_NOREG) {
			a->disp = (int64_t)((uint64_t)a->disp - pc);
			if (a->base == USDT_NOREG)
				a->base = PTW_IP;
		}
		return true;
	}
	/* A number relative to the instruction pointer cannot be used: the note does not say which instruction it
	 * counts from. */
	return a->base != PTW_IP;
}

/* rsp + 8 + ((rip & 15) >= N) * 8 */
static int
x86_jumps(const uint8_t *expression, size_t n)
{
	static const uint8_t known[] = {0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x30, 0x2a, 0x33, 0x24, 0x22};
	enum { LITERAL = 6 }; /* where N is: 0x30 + N */
	if (n != sizeof known || memcmp(expression, known, LITERAL) != 0 ||
	    memcmp(expression + LITERAL + 1, known + LITERAL + 1, sizeof known - LITERAL - 1) != 0 ||
	    expression[LITERAL] < 0x30 || expression[LITERAL] > 0x3f)
		return -1;
	return expression[LITERAL] - 0x30;
}

const struct arch_code arch_x86_64 = {x86_begins, x86_operand, false, x86_jumps, "%s%d@%d(%%rdi)"};
