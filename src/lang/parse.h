/*
 * The parser: text to tree, one top-level construct at a time, so that a
 * typedef is known to what follows it.
 */
#ifndef ET_LANG_PARSE_H
#define ET_LANG_PARSE_H

#include "lang/ast.h"

struct parser;

/* Over cc->text; in cc->ar. Accepts "#!" as first line. */
struct parser *parse_open(struct cc *cc);
/* The next clause, declaration, inline, translator or provider; NULL at the end. Declarations of types and
 * pragmas are carried out on the way and skipped. A declaration of several variables is a list (next). */
struct node *parse_top(struct parser *p);
/* The text under the parser: what a compilation asks about macros and pragmas after the end. */
struct lexer *parse_lexer(struct parser *p);
/* Whether there was anything but declarations of variables and types: a program of them alone is empty. */
bool parse_saw_any(const struct parser *p);

#endif
