/*
 * The parser: text to tree, one top-level construct at a time, so that a typedef is known to what follows it.
 */
#ifndef ET_LANG_PARSE_H
#define ET_LANG_PARSE_H

#include "lang/ast.h"

struct parser;

/* Opens a parser over cc->text, in cc->ar. Accepts "#!" as first line. */
struct parser *parse_open(struct cc *cc);
/* Returns the next clause, declaration, inline, translator or provider, or NULL at the end. Declarations of types
 * and pragmas are carried out on the way and skipped. A declaration of several variables is a list (next). */
struct node *parse_top(struct parser *p);
/* The lexer under the parser. After the end, the compilation asks it about macros and pragmas. */
struct lexer *parse_lexer(struct parser *p);
/* Returns whether there was anything but declarations of variables and types. A program of declarations only is
 * empty. */
bool parse_saw_any(const struct parser *p);

#endif
