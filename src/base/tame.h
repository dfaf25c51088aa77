/*
 * Text of others for a terminal: what would make the terminal do something is shown as an escape, as the page does.
 *
 * That is control characters (but newline and tab), those of ISO 6429 from U+0080 on as well, alone or in UTF-8, and
 * characters that nobody sees: marks that turn the direction of writing, spaces without width. \u001b is an escape
 * character, \x9b a byte that belongs to no character.
 */
#ifndef ET_BASE_TAME_H
#define ET_BASE_TAME_H

#include "base/sbuf.h"

/* Whether there is anything of that kind. is_utf8: of the terminal; where it is not, every such byte counts. */
bool tame_is_needed(const char *s, size_t n, bool is_utf8);
void tame_add(struct sbuf *b, const char *s, size_t n, bool is_utf8);
/* Bytes of the well-formed UTF-8 sequence at s, of which n are there; 0: none. */
size_t utf8_len(const unsigned char *s, size_t n);
/* The character of such a sequence. */
unsigned utf8_char(const unsigned char *s, size_t len);
/* Characters that are shown by their number only. */
bool tame_is_hidden(unsigned c);

#endif
