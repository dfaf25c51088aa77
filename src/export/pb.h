/* The bytes of protobuf: fields are added to a buffer. A message that is part of another one is made first. */
#ifndef ET_EXPORT_PB_H
#define ET_EXPORT_PB_H

#include "base/sbuf.h"

#include <stdint.h>

void pb_varint(struct sbuf *b, uint64_t v);
void pb_uint(struct sbuf *b, unsigned field, uint64_t v);
void pb_sint(struct sbuf *b, unsigned field, int64_t v);   /* sint32 and sint64 */
void pb_fixed(struct sbuf *b, unsigned field, uint64_t v); /* fixed64 and sfixed64 */
void pb_double(struct sbuf *b, unsigned field, double v);
void pb_bytes(struct sbuf *b, unsigned field, const char *at, size_t len);
void pb_text(struct sbuf *b, unsigned field, const char *text);
/* Adds a message that is complete, or a packed list, and frees it. */
void pb_message(struct sbuf *b, unsigned field, struct sbuf *message);
/* Elements of a packed list. */
void pb_add_fixed(struct sbuf *b, uint64_t v);
void pb_add_double(struct sbuf *b, double v);

#endif
