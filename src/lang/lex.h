/*
 * The lexer: bytes in, tokens out. Used only in this folder.
 *
 * D is read in two ways. In expressions and declarations lex_next() gives the tokens of C. At the outer level a word
 * may be a probe description, whose characters are not those of C: lex_outer() looks at the text without consuming it,
 * and lex_pdesc() takes one description. The parser says which it wants. It never holds a token over from one way to
 * the other.
 *
 * Text of tokens is a slice of cc->text, or lies in cc->ar if it had to be made (strings, macro arguments).
 */
#ifndef ET_LANG_LEX_H
#define ET_LANG_LEX_H

#include "lang/ast.h"

/* X(id, text): words that D reserves, in ASCII order. */
#define LEX_WORDS(X) \
	X(BOOL, "_Bool") \
	X(AUTO, "auto") \
	X(BREAK, "break") \
	X(CASE, "case") \
	X(CHAR, "char") \
	X(CONST, "const") \
	X(CONTINUE, "continue") \
	X(COUNTER, "counter") \
	X(DEFAULT, "default") \
	X(DO, "do") \
	X(DOUBLE, "double") \
	X(ELSE, "else") \
	X(ENUM, "enum") \
	X(EXTERN, "extern") \
	X(FLOAT, "float") \
	X(FOR, "for") \
	X(GOTO, "goto") \
	X(IF, "if") \
	X(IMPORT, "import") \
	X(INLINE, "inline") \
	X(INT, "int") \
	X(LONG, "long") \
	X(OFFSETOF, "offsetof") \
	X(PROBE, "probe") \
	X(PROVIDER, "provider") \
	X(REGISTER, "register") \
	X(RESTRICT, "restrict") \
	X(RETURN, "return") \
	X(SELF, "self") \
	X(SHORT, "short") \
	X(SIGNED, "signed") \
	X(SIZEOF, "sizeof") \
	X(STATIC, "static") \
	X(STRING, "string") \
	X(STRINGOF, "stringof") \
	X(STRUCT, "struct") \
	X(SWITCH, "switch") \
	X(THIS, "this") \
	X(TRANSLATOR, "translator") \
	X(TRY, "try") \
	X(TYPEDEF, "typedef") \
	X(UNION, "union") \
	X(UNSIGNED, "unsigned") \
	X(VOID, "void") \
	X(VOLATILE, "volatile") \
	X(WHILE, "while") \
	X(XLATE, "xlate")

/* X(id, text): punctuation. A longer one stands before those that it begins with. */
#define LEX_PUNCTS(X) \
	X(ELLIPSIS, "...") \
	X(SHLEQ, "<<=") \
	X(SHREQ, ">>=") \
	X(ARROW, "->") \
	X(INC, "++") \
	X(DEC, "--") \
	X(SHL, "<<") \
	X(SHR, ">>") \
	X(LE, "<=") \
	X(GE, ">=") \
	X(EQ, "==") \
	X(NE, "!=") \
	X(ANDAND, "&&") \
	X(OROR, "||") \
	X(XORXOR, "^^") \
	X(MULEQ, "*=") \
	X(DIVEQ, "/=") \
	X(MODEQ, "%=") \
	X(ADDEQ, "+=") \
	X(SUBEQ, "-=") \
	X(ANDEQ, "&=") \
	X(XOREQ, "^=") \
	X(OREQ, "|=") \
	X(LPAREN, "(") \
	X(RPAREN, ")") \
	X(LBRACKET, "[") \
	X(RBRACKET, "]") \
	X(LBRACE, "{") \
	X(RBRACE, "}") \
	X(SEMI, ";") \
	X(COMMA, ",") \
	X(DOT, ".") \
	X(QUESTION, "?") \
	X(COLON, ":") \
	X(ASSIGN, "=") \
	X(LT, "<") \
	X(GT, ">") \
	X(ADD, "+") \
	X(SUB, "-") \
	X(MUL, "*") \
	X(DIV, "/") \
	X(MOD, "%") \
	X(AND, "&") \
	X(OR, "|") \
	X(XOR, "^") \
	X(NOT, "!") \
	X(BITNOT, "~")

enum tok {
	TK_EOF,
	TK_INT,   /* num, is_unsigned, is_long */
	TK_STR,   /* text: bytes with escapes resolved */
	TK_IDENT, /* text; may hold backquotes: module`symbol */
	TK_AGG,   /* @name: text without the @ */
	TK_EPRED, /* the '/' that ends a predicate */
#define X(id, text) TK_##id,
	LEX_PUNCTS(X)
#undef X
#define X(id, text) TW_##id,
	    LEX_WORDS(X)
#undef X
};

struct token {
	enum tok kind;
	struct pos pos;
	const char *text; /* TK_IDENT, TK_AGG, TK_STR, words; not NUL-terminated unless TK_STR */
	uint32_t len;
	uint64_t num;
	bool is_unsigned, is_long; /* TK_INT: the type by C's rules */
};

/* A pragma that waits for its name to be defined. */
struct pending {
	struct pending *next;
	const char *name, *attrs;
	struct pos pos;
};

struct lexer {
	struct cc *cc;
	const char *text;
	uint32_t len, at;
	uint32_t line, line_at; /* line number, offset of its first byte */
	const char *file;       /* of the current line: changed by line markers */
	unsigned include_depth; /* inside #include files of the preprocessor */
	bool in_pred;           /* a '/' may be the end of the predicate */
	bool after_member;      /* the last token was . or ->: the next word is a name */
	struct strmap files;    /* names from line markers, in the arena of lang */
	struct pending *pending, **pending_tail;
	const struct libdeps *libs; /* checks what "depends_on library" names; NULL for the main program */
};

/* Tells whether a library of this name was loaded; front_libs.c implements it. */
struct libdeps {
	bool (*loaded)(const struct libdeps *d, const char *name);
};

/* Accepts "#!" as first line. */
void lex_open(struct lexer *lx, struct cc *cc);
void lex_next(struct lexer *lx, struct token *t);

/* Skips blanks, comments and control lines. Returns false at the end of the text. */
bool lex_skip(struct lexer *lx);
struct pos lex_pos(const struct lexer *lx, uint32_t at, uint32_t len);

/* What stands at the outer level, after lex_skip(). */
enum outer { LO_END, LO_DECL, LO_ALERT, LO_PDESC, LO_JUNK };
enum outer lex_outer(struct lexer *lx);
/* Takes one probe description, macros expanded, into n (kind N_PDESC). */
void lex_pdesc(struct lexer *lx, struct node *n);

/* The word's token kind, or TK_IDENT. */
enum tok lex_word(const char *s, size_t len);
/* As the user would write it: "';'", "'while'", "identifier". */
const char *tok_text(enum tok k);

/* lex_lit.c */
void lex_number(struct lexer *lx, struct token *t);
void lex_string(struct lexer *lx, struct token *t);
void lex_char(struct lexer *lx, struct token *t);
void lex_macro(struct lexer *lx, struct token *t);
/* Resolves C's escapes of n bytes into out (room for n + 1 bytes). Returns the number of bytes made. pos is where s
 * stands. */
size_t lex_escapes(struct lexer *lx, const char *s, size_t n, char *out, struct pos pos);
/* Returns a macro argument or variable by the name after '$' (or "$$"), as text in cc->ar. Returns NULL if the
 * argument is missing and option defaultargs is on. */
const char *lex_macro_text(struct lexer *lx, const char *name, size_t len, struct pos pos);

static inline bool
lex_is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool
lex_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
lex_is_name(char c)
{
	return lex_is_name_start(c) || lex_is_digit(c);
}

static inline bool
lex_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

/* pragma.c: carries out a control line; `at` is behind the '#', `end` is the end of the line. */
void pragma_line(struct lexer *lx, uint32_t at, uint32_t end);
/* Called at the end of a program: a pragma for a name that was never defined is an error. */
void pragma_finish(struct lexer *lx);

#endif
