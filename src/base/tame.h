/*
 * Foreign text for a terminal: characters that would make the terminal do something are shown as escapes, as the page
 * does.
 *
 * These are control characters (except newline and tab), those of ISO 6429 from U+0080 on, alone or in UTF-8, and
 * invisible characters: marks that turn the direction of writing, spaces without width. \u001b is an escape character,
 * \x9b a byte that belongs to no character.
 */
#ifndef ET_BASE_TAME_H
#define ET_BASE_TAME_H

#include "base/sbuf.h"

/* Returns whether there is any such character. is_utf8 is about the terminal; if it is false, every such byte
 * counts. */
bool tame_is_needed(const char *s, size_t n, bool is_utf8);
void tame_add(struct sbuf *b, const char *s, size_t n, bool is_utf8);
/* Returns the length of the well-formed UTF-8 sequence at s, of which n bytes may be read, or 0 if it is not one. */
size_t utf8_len(const unsigned char *s, size_t n);
/* Returns the character of such a sequence. */
unsigned utf8_char(const unsigned char *s, size_t len);
/* Returns whether a character is shown only by its number. */
bool tame_is_hidden(unsigned c);

#endif
