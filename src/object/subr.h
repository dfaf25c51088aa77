/*
 * Subroutines: one table. X(id, D name, D prototype, operands, flags)
 *
 * Prototype: D source of a function type; `...` never appears. Optional
 * trailing parameters stand in brackets. The checker reads it.
 * Operands: what the engine takes, one letter each: i a number, s the address
 * of a string, a the address of memory, p a pointer to store through, t an
 * Erlang term. Those after '|'
 * may be missing; the code generator then passes fewer operands.
 * Result: r-letters in flags say what rd becomes.
 *
 * exit, speculate, commit, discard and the destructive actions that the engine itself performs are subroutines here as
 * well; they have no D result. What the consumer performs (printf, clear, system, …) are records: see dobj.h.
 */
#ifndef ET_OBJECT_SUBR_H
#define ET_OBJECT_SUBR_H

enum {
	SF_STRING = 1,      /* the result is a string: an address */
	SF_ADDR = 2,        /* the result is an address of scratch */
	SF_ACTION = 4,      /* an action: a separate statement without a result */
	SF_DESTRUCTIVE = 8, /* refused without the destructive option */
	SF_REFUSED = 16,    /* has no meaning on Linux: the checker refuses it with the reason */
	SF_INTERNAL = 32,   /* only the code generator emits it */
	SF_TERM = 64,       /* on Erlang terms: the firing's provider does it; fault ILLOP if none can */
	SF_LOCK = 128,      /* about a lock of the kernel: the second operand is its enum lock_kind */
};

/* The kind of lock; the checker knows it from the pointer's type. */
enum lock_kind { LOCK_MUTEX, LOCK_SPIN, LOCK_RWSEM, LOCK_RWLOCK };

/* The kind of key of map_get() and is_map_key(): a number, a string (an atom's name, or a binary's bytes), a term. */
enum term_key { TERM_KEY_INT, TERM_KEY_STRING, TERM_KEY_TERM };

#define DIF_SUBRS(X) \
	X(ALLOCA, "alloca", "void *(size_t)", "i", SF_ADDR) \
	X(BASENAME, "basename", "string(const char *)", "s", SF_STRING) \
	X(BCOPY, "bcopy", "void(void *, void *, size_t)", "api", 0) \
	X(CLEANPATH, "cleanpath", "string(const char *)", "s", SF_STRING) \
	X(COPYIN, "copyin", "void *(uintptr_t, size_t)", "ii", SF_ADDR) \
	X(COPYINSTR, "copyinstr", "string(uintptr_t, [size_t])", "i|i", SF_STRING) \
	X(COPYINTO, "copyinto", "void(uintptr_t, size_t, void *)", "iip", 0) \
	X(D_PATH, "d_path", "string(void *)", "a", SF_STRING) \
	X(DIRNAME, "dirname", "string(const char *)", "s", SF_STRING) \
	X(GETMAJOR, "getmajor", "uint64_t(uint64_t)", "i", 0) \
	X(GETMINOR, "getminor", "uint64_t(uint64_t)", "i", 0) \
	X(HTONL, "htonl", "uint32_t(uint32_t)", "i", 0) \
	X(HTONLL, "htonll", "uint64_t(uint64_t)", "i", 0) \
	X(HTONS, "htons", "uint16_t(uint16_t)", "i", 0) \
	X(INDEX, "index", "int(const char *, const char *, [int])", "ss|i", 0) \
	X(INET_NTOA, "inet_ntoa", "string(uint32_t *)", "a", SF_STRING) \
	X(INET_NTOA6, "inet_ntoa6", "string(void *, [int])", "a|i", SF_STRING) \
	X(INET_NTOP, "inet_ntop", "string(int, void *)", "ia", SF_STRING) \
	X(JSON, "json", "string(const char *, const char *)", "ss", SF_STRING) \
	X(LINK_NTOP, "link_ntop", "string(int, void *)", "ia", SF_STRING) \
	X(LLTOSTR, "lltostr", "string(int64_t, [int])", "i|i", SF_STRING) \
	X(MUTEX_OWNED, "mutex_owned", "int(void *)", "ai", SF_LOCK) \
	X(MUTEX_OWNER, "mutex_owner", "struct task_struct *(void *)", "ai", SF_LOCK) \
	X(MUTEX_TYPE_ADAPTIVE, "mutex_type_adaptive", "int(void *)", "ai", SF_LOCK) \
	X(MUTEX_TYPE_SPIN, "mutex_type_spin", "int(void *)", "ai", SF_LOCK) \
	X(RW_ISWRITER, "rw_iswriter", "int(void *)", "ai", SF_LOCK) \
	X(RW_READ_HELD, "rw_read_held", "int(void *)", "ai", SF_LOCK) \
	X(RW_WRITE_HELD, "rw_write_held", "int(void *)", "ai", SF_LOCK) \
	X(MSGSIZE, "msgsize", "size_t(void *)", "a", SF_REFUSED) \
	X(MSGDSIZE, "msgdsize", "size_t(void *)", "a", SF_REFUSED) \
	X(NTOHL, "ntohl", "uint32_t(uint32_t)", "i", 0) \
	X(NTOHLL, "ntohll", "uint64_t(uint64_t)", "i", 0) \
	X(NTOHS, "ntohs", "uint16_t(uint16_t)", "i", 0) \
	X(PROGENYOF, "progenyof", "int(pid_t)", "i", 0) \
	X(RAND, "rand", "int()", "", 0) \
	X(RINDEX, "rindex", "int(const char *, const char *, [int])", "ss|i", 0) \
	X(SPECULATION, "speculation", "int()", "", 0) \
	X(STRCHR, "strchr", "string(const char *, char)", "si", SF_STRING) \
	X(STRJOIN, "strjoin", "string(const char *, const char *)", "ss", SF_STRING) \
	X(STRLEN, "strlen", "size_t(const char *)", "s", 0) \
	X(STRRCHR, "strrchr", "string(const char *, char)", "si", SF_STRING) \
	X(STRSTR, "strstr", "string(const char *, const char *)", "ss", SF_STRING) \
	X(STRTOK, "strtok", "string(const char *, const char *)", "ss", SF_STRING) \
	X(STRTOLL, "strtoll", "int64_t(const char *, [int])", "s|i", 0) \
	X(SUBSTR, "substr", "string(const char *, int, [int])", "si|i", SF_STRING) \
	X(TOLOWER, "tolower", "string(const char *)", "s", SF_STRING) \
	X(TOUPPER, "toupper", "string(const char *)", "s", SF_STRING) \
	X(EXIT, "exit", "void(int)", "i", SF_ACTION) \
	X(SPECULATE, "speculate", "void(int)", "i", SF_ACTION) \
	X(COMMIT, "commit", "void(int)", "i", SF_ACTION) \
	X(DISCARD, "discard", "void(int)", "i", SF_ACTION) \
	X(RAISE, "raise", "void(int)", "i", SF_ACTION | SF_DESTRUCTIVE) \
	X(STOP, "stop", "void()", "", SF_ACTION | SF_DESTRUCTIVE) \
	X(CHILL, "chill", "void(int)", "i", SF_ACTION | SF_DESTRUCTIVE) \
	X(COPYOUT, "copyout", "void(void *, uintptr_t, size_t)", "aii", SF_ACTION | SF_DESTRUCTIVE) \
	X(COPYOUTSTR, "copyoutstr", "void(char *, uintptr_t, size_t)", "sii", SF_ACTION | SF_DESTRUCTIVE) \
	X(BREAKPOINT, "breakpoint", "void()", "", SF_ACTION | SF_DESTRUCTIVE | SF_REFUSED) \
	X(PANIC, "panic", "void()", "", SF_ACTION | SF_DESTRUCTIVE | SF_REFUSED) \
	X(STRDUP_SCRATCH, "", "", "a|i", SF_INTERNAL | SF_STRING) /* a char array as a string; i: its bytes */ \
	X(ALLOC_ZERO, "", "", "i", SF_INTERNAL | SF_ADDR)         /* scratch, zeroed: temporaries of structures */ \
	X(TERM_IS_ATOM, "is_atom", "int(term)", "t", SF_TERM) \
	X(TERM_IS_BINARY, "is_binary", "int(term)", "t", SF_TERM) \
	X(TERM_IS_BITSTRING, "is_bitstring", "int(term)", "t", SF_TERM) \
	X(TERM_IS_BOOLEAN, "is_boolean", "int(term)", "t", SF_TERM) \
	X(TERM_IS_FLOAT, "is_float", "int(term)", "t", SF_TERM) \
	X(TERM_IS_FUNCTION, "is_function", "int(term)", "t", SF_TERM) \
	X(TERM_IS_INTEGER, "is_integer", "int(term)", "t", SF_TERM) \
	X(TERM_IS_LIST, "is_list", "int(term)", "t", SF_TERM) \
	X(TERM_IS_MAP, "is_map", "int(term)", "t", SF_TERM) \
	X(TERM_IS_NUMBER, "is_number", "int(term)", "t", SF_TERM) \
	X(TERM_IS_PID, "is_pid", "int(term)", "t", SF_TERM) \
	X(TERM_IS_PORT, "is_port", "int(term)", "t", SF_TERM) \
	X(TERM_IS_REFERENCE, "is_reference", "int(term)", "t", SF_TERM) \
	X(TERM_IS_TUPLE, "is_tuple", "int(term)", "t", SF_TERM) \
	X(TERM_ELEMENT, "element", "term(int64_t, term)", "it", SF_TERM) \
	X(TERM_HD, "hd", "term(term)", "t", SF_TERM) \
	X(TERM_TL, "tl", "term(term)", "t", SF_TERM) \
	X(TERM_MAP_GET, "map_get", "term(term, term)", "iti", SF_TERM)      /* key, map, enum term_key */ \
	X(TERM_IS_MAP_KEY, "is_map_key", "int(term, term)", "iti", SF_TERM) /* the same */ \
	X(TERM_LENGTH, "length", "int64_t(term)", "t", SF_TERM) \
	X(TERM_TUPLE_SIZE, "tuple_size", "int64_t(term)", "t", SF_TERM) \
	X(TERM_MAP_SIZE, "map_size", "int64_t(term)", "t", SF_TERM) \
	X(TERM_BYTE_SIZE, "byte_size", "int64_t(term)", "t", SF_TERM) \
	X(TERM_INT, "term_int", "int64_t(term)", "t", SF_TERM) \
	X(TERM_ATOM, "atom", "string(term)", "t", SF_TERM | SF_STRING) \
	X(TERM_BINARY, "binary", "string(term)", "t", SF_TERM | SF_STRING) \
	X(TERM_TEXT, "text", "string(term)", "t", SF_TERM | SF_STRING) \
	X(TERM_IOLIST_SIZE, "iolist_size", "int64_t(term)", "t", SF_TERM)

enum dif_subr {
#define X(id, name, proto, operands, flags) DIF_SUBR_##id,
	DIF_SUBRS(X)
#undef X
	    DIF_NSUBRS
};

#endif
