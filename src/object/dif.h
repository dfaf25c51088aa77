/*
 * DIF: the instruction set that D compiles to.
 *
 * One clause is one DIF function: predicate first, then the statements, then END. Branches go only forward, so every
 * function ends. The only calls are CALL of a subroutine with bounded work.
 *
 * A function has DIF_NREGS registers of 64 bits and up to DIF_NSLOTS slots of 64 bits. Slots hold spilled registers and
 * the operands of instructions that take several (CALL, AGG, LDA, STA): those name their first slot, the rest follow.
 * Registers and slots are 0 when the function starts.
 *
 * All values are 64-bit numbers. An address is a number as well: the upper 16 bits name a region (DIF_ADDR below), the
 * lower 48 an offset into it. The tags are not canonical x86-64 or arm64 addresses, so no address of the machine can be
 * mistaken for one. Any other number is an address of the traced process and is read fault-safe. Every access is
 * checked when it happens, so the verifier has nothing to prove about addresses.
 *
 * The disassembler, the verifier and the interpreter expand the table, and the eBPF lowering has a switch over all of
 * it. A new row does not compile until the interpreter and the lowering know it.
 */
#ifndef ET_OBJECT_DIF_H
#define ET_OBJECT_DIF_H

#include <stdbool.h>
#include <stdint.h>

enum { DIF_NREGS = 8, DIF_NSLOTS = 64 };
enum { DIF_MAXCODE = 1 << 18 }; /* instructions of a clause: bounds the time of a firing */

struct dif_insn {
	uint8_t op;         /* enum dif_op */
	uint8_t rd, rs, rt; /* registers, or a count or slot if the format says so; 0 if it says nothing */
	int32_t imm;
};

/* args[] of an Erlang function by name are terms beside arg0 to arg9: they are the arguments from here on. */
enum { DIF_TERM_ARGS = 10, DIF_NARGS = 20 };

/*
 * Operand formats: what the fields of an instruction mean. `slot` fields are checked against the function's slot count,
 * `v` against the variable table and so on by the verifier.
 */
enum dif_fmt {
	DF_NONE,  /* no operands */
	DF_RI,    /* rd, imm: a number */
	DF_RK,    /* rd, imm: index of the integer table */
	DF_RSTR,  /* rd, imm: offset in the string table */
	DF_RR,    /* rd, rs */
	DF_RRR,   /* rd, rs, rt */
	DF_RRI,   /* rd, rs, imm */
	DF_EXT,   /* rd, rs, imm in {8,16,32,-8,-16,-32} */
	DF_BITS,  /* rd, rs, imm = shift | width << 8 | signed << 16, shift + width <= 64, width >= 1 */
	DF_BR,    /* imm: target, an instruction of this function after this one, counted from its first */
	DF_BR1,   /* rs, imm: target */
	DF_BR2,   /* rs, rt, imm: target */
	DF_LD,    /* rd, [rs + imm] */
	DF_ST,    /* [rd + imm], rs */
	DF_COPY,  /* rd, rs: addresses; imm: bytes, 1 .. 64 KiB */
	DF_ARG,   /* rd, imm: 0 .. 9, or DIF_TERM_ARGS + 0 .. 9 */
	DF_BI,    /* rd, imm: enum dif_builtin (not an array) */
	DF_BIA,   /* rd, imm: enum dif_builtin (an array), rs: index */
	DF_VLD,   /* rd, imm: variable */
	DF_VST,   /* imm: variable, rs */
	DF_ALD,   /* rd, imm: associative variable, rs: first key slot */
	DF_AST,   /* imm: associative variable, rt: first key slot, rs: value register */
	DF_SLD,   /* rd, imm: slot */
	DF_SST,   /* imm: slot, rs */
	DF_CALL,  /* rd, imm: enum dif_subr, rs: first operand slot, rt: operand count */
	DF_AGG,   /* imm: aggregation, rs: first key slot, rd: value register, rt: increment register */
	DF_GRP,   /* imm: record group of this clause, from 0 */
	DF_FLD,   /* imm: field of the open group (index in the group), rs: value register */
	DF_FAULT, /* imm: enum dif_fault, rs: value */
};

/* X(name, mnemonic, format, meaning) */
#define DIF_OPS(X) \
	X(NOP, "nop", DF_NONE, "nothing") \
	X(END, "end", DF_NONE, "the clause is done") \
	X(MOV, "mov", DF_RR, "rd = rs") \
	X(MOVI, "movi", DF_RI, "rd = imm, sign-extended") \
	X(LDK, "ldk", DF_RK, "rd = integer table[imm]") \
	X(LDS, "lds", DF_RSTR, "rd = address of the constant string at imm") \
	X(ADD, "add", DF_RRR, "rd = rs + rt") \
	X(ADDI, "addi", DF_RRI, "rd = rs + imm") \
	X(SUB, "sub", DF_RRR, "rd = rs - rt") \
	X(MUL, "mul", DF_RRR, "rd = rs * rt") \
	X(SDIV, "sdiv", DF_RRR, "rd = rs / rt, signed; rt 0: fault DIVZERO; INT64_MIN / -1 = INT64_MIN") \
	X(UDIV, "udiv", DF_RRR, "rd = rs / rt, unsigned; rt 0: fault DIVZERO") \
	X(SREM, "srem", DF_RRR, "rd = rs % rt, signed; rt 0: fault DIVZERO; INT64_MIN % -1 = 0") \
	X(UREM, "urem", DF_RRR, "rd = rs % rt, unsigned; rt 0: fault DIVZERO") \
	X(AND, "and", DF_RRR, "rd = rs & rt") \
	X(OR, "or", DF_RRR, "rd = rs | rt") \
	X(XOR, "xor", DF_RRR, "rd = rs ^ rt") \
	X(SLL, "sll", DF_RRR, "rd = rs << (rt & 63)") \
	X(SRL, "srl", DF_RRR, "rd = rs >> (rt & 63), unsigned") \
	X(SRA, "sra", DF_RRR, "rd = rs >> (rt & 63), signed") \
	X(NOT, "not", DF_RR, "rd = ~rs") \
	X(NEG, "neg", DF_RR, "rd = -rs") \
	X(EXT, "ext", DF_EXT, "rd = low |imm| bits of rs, sign-extended when imm < 0") \
	X(BFX, "bfx", DF_BITS, "rd = `width` bits of rs from bit `shift`, extended") \
	X(BFI, "bfi", DF_BITS, "`width` bits of rd from bit `shift` = low bits of rs") \
	X(SEQ, "seq", DF_RRR, "rd = rs == rt") \
	X(SNE, "sne", DF_RRR, "rd = rs != rt") \
	X(SLT, "slt", DF_RRR, "rd = rs < rt, signed") \
	X(SLE, "sle", DF_RRR, "rd = rs <= rt, signed") \
	X(SLTU, "sltu", DF_RRR, "rd = rs < rt, unsigned") \
	X(SLEU, "sleu", DF_RRR, "rd = rs <= rt, unsigned") \
	X(SCMP, "scmp", DF_RRR, "rd = -1, 0 or 1: strings at rs and rt compared by bytes, at most strsize; 0 is \"\"") \
	X(BA, "ba", DF_BR, "go to imm") \
	X(BZ, "bz", DF_BR1, "rs == 0: go to imm") \
	X(BNZ, "bnz", DF_BR1, "rs != 0: go to imm") \
	X(BEQ, "beq", DF_BR2, "rs == rt: go to imm") \
	X(BNE, "bne", DF_BR2, "rs != rt: go to imm") \
	X(BLT, "blt", DF_BR2, "rs < rt, signed: go to imm") \
	X(BLE, "ble", DF_BR2, "rs <= rt, signed: go to imm") \
	X(BLTU, "bltu", DF_BR2, "rs < rt, unsigned: go to imm") \
	X(BLEU, "bleu", DF_BR2, "rs <= rt, unsigned: go to imm") \
	X(LDSB, "ldsb", DF_LD, "rd = signed 8 bits at rs + imm") \
	X(LDSH, "ldsh", DF_LD, "rd = signed 16 bits at rs + imm") \
	X(LDSW, "ldsw", DF_LD, "rd = signed 32 bits at rs + imm") \
	X(LDUB, "ldub", DF_LD, "rd = unsigned 8 bits at rs + imm") \
	X(LDUH, "lduh", DF_LD, "rd = unsigned 16 bits at rs + imm") \
	X(LDUW, "lduw", DF_LD, "rd = unsigned 32 bits at rs + imm") \
	X(LDX, "ldx", DF_LD, "rd = 64 bits at rs + imm") \
	X(STB, "stb", DF_ST, "8 bits at rd + imm = rs; only scratch, locals and globals can be stored to") \
	X(STH, "sth", DF_ST, "16 bits at rd + imm = rs") \
	X(STW, "stw", DF_ST, "32 bits at rd + imm = rs") \
	X(STX, "stx", DF_ST, "64 bits at rd + imm = rs") \
	X(STRCPY, "strcpy", DF_COPY, \
	    "string at rd = string at rs, cut to imm bytes with its NUL; rs 0: \"\", or NULL where imm is DIF_STRVAR") \
	X(MEMCPY, "memcpy", DF_COPY, "imm bytes at rd = those at rs; rs 0: zeroes") \
	X(LDARG, "ldarg", DF_ARG, "rd = probe argument imm, 0 when the probe has fewer; see DIF_TERM_ARGS") \
	X(LDARGX, "ldargx", DF_RR, "rd = probe argument rs; fault BADINDEX past the last") \
	X(LDBI, "ldbi", DF_BI, "rd = built-in variable imm") \
	X(LDBIA, "ldbia", DF_BIA, "rd = element rs of built-in array imm") \
	X(LDG, "ldg", DF_VLD, "rd = global scalar") \
	X(STG, "stg", DF_VST, "global scalar = rs") \
	X(LDGA, "ldga", DF_VLD, "rd = address of a global string or byte variable") \
	X(LDL, "ldl", DF_VLD, "rd = clause-local scalar") \
	X(STL, "stl", DF_VST, "clause-local scalar = rs") \
	X(LDLA, "ldla", DF_VLD, "rd = address of a clause-local string or byte variable") \
	X(LDT, "ldt", DF_VLD, \
	    "rd = thread-local: the number, or the address of a copy in scratch; unset: 0, zeroes for bytes") \
	X(STT, "stt", DF_VST, "thread-local = rs: a number, or what is at address rs; 0 frees it") \
	X(LDA, "lda", DF_ALD, "rd = element of an associative array: as LDT") \
	X(STA, "sta", DF_AST, "element of an associative array = rs: as STT; 0 frees it") \
	X(LDSL, "ldsl", DF_SLD, "rd = slot imm") \
	X(STSL, "stsl", DF_SST, "slot imm = rs") \
	X(CALL, "call", DF_CALL, "rd = subroutine imm of the operands in rt slots from rs on") \
	X(AGG, "agg", DF_AGG, "add value rd (increment rt) to aggregation imm under the keys from slot rs on") \
	X(RECB, "recb", DF_GRP, "open the record of group imm; what follows up to RECE belongs to it") \
	X(REC, "rec", DF_FLD, "field imm of the open record = rs: a number, or what is at address rs, by the field") \
	X(RECE, "rece", DF_NONE, "the record is complete: it becomes visible") \
	X(FAULT, "fault", DF_FAULT, "fault imm with value rs") \
	X(STRVAL, "strval", DF_RR, "rd = rs, the address of a string variable; 0 when that was given NULL")

/*
 * A string variable is its bytes, and NULL must be distinguished from "". For NULL, a byte that "" never has follows
 * the NUL that the variable begins with. As imm of STRCPY: the target is such a variable.
 */
enum { DIF_STRVAR = 64 << 10, DIF_STR_NULL = 0xff };

enum dif_op {
#define X(name, mnem, fmt, what) DIF_##name,
	DIF_OPS(X)
#undef X
	    DIF_NOPS
};

/* Returns whether an operation can jump. */
static inline bool
dif_is_branch(unsigned op)
{
	static const unsigned char formats[] = {
#define X(name, mnem, fmt, what) fmt,
	    DIF_OPS(X)
#undef X
	};
	return op < DIF_NOPS && (formats[op] == DF_BR || formats[op] == DF_BR1 || formats[op] == DF_BR2);
}

/* Regions of addresses: tag in the upper 16 bits. */
enum dif_region {
	DIF_R_CONST = 0xE701,   /* the object's string table, read-only */
	DIF_R_SCRATCH = 0xE702, /* this firing's scratch: alloca, results of subroutines, copies */
	DIF_R_LOCAL = 0xE703,   /* clause-local variables */
	DIF_R_GLOBAL = 0xE704,  /* global variables that are strings or bytes */
	DIF_R_ARG = 0xE705,     /* strings and memory that come with the probe's arguments: argument << 40 | offset */
	DIF_R_BUILTIN = 0xE706, /* built-in strings and structures: builtin << 40 | (index & 0xffff) << 24 | offset */
	DIF_R_TERM = 0xE707,    /* Erlang terms: the provider's handle << 16 | offset in the term's text */
	DIF_R_MFA = 0xE708,     /* frames of Erlang stacks: DIF_MFA; not memory */
};
#define DIF_ADDR(region, off) ((uint64_t)(region) << 48 | (uint64_t)(off))
#define DIF_REGION(addr) ((unsigned)((uint64_t)(addr) >> 48))
#define DIF_OFFSET(addr) ((uint64_t)(addr)&0xffffffffffffULL)
/* A function's number in its node, and the line of its source; 0 if unknown. */
#define DIF_MFA(number, line) ((uint64_t)(line) << 20 | (uint64_t)(number))
#define DIF_MFA_NUMBER(off) ((off)&0xfffff)
#define DIF_MFA_LINE(off) ((off) >> 20)
#define DIF_MFA_LINES (1u << 24)

/* Faults, with DTrace's numbers, names and messages; the last one is ours. X(name, number, text) */
#define DIF_FAULTS(X) \
	X(UNKNOWN, 0, "unknown fault") \
	X(BADADDR, 1, "invalid address") \
	X(BADALIGN, 2, "invalid alignment") \
	X(ILLOP, 3, "illegal operation") \
	X(DIVZERO, 4, "divide-by-zero") \
	X(NOSCRATCH, 5, "out of scratch space") \
	X(KPRIV, 6, "invalid kernel access") \
	X(UPRIV, 7, "invalid user access") \
	X(TUPOFLOW, 8, "tuple stack overflow") \
	X(BADSTACK, 9, "bad stack") \
	X(LIBRARY, 10, "library-level fault") \
	X(BADSIZE, 11, "invalid size") \
	X(BADINDEX, 12, "index out of bounds") \
	X(TIMEOUT, 13, "took longer than maxfire")

enum dif_fault {
#define X(name, number, text) DIF_FAULT_##name = (number),
	DIF_FAULTS(X)
#undef X
};

#endif
