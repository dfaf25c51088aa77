/* See pb.h. */
#include "export/pb.h"

#include <string.h>

enum wire { WIRE_VARINT = 0, WIRE_FIXED = 1, WIRE_BYTES = 2 };

void
pb_varint(struct sbuf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		sb_addc(b, (char)(v | 0x80));
	sb_addc(b, (char)v);
}

void
pb_uint(struct sbuf *b, unsigned field, uint64_t v)
{
	pb_varint(b, field << 3 | WIRE_VARINT);
	pb_varint(b, v);
}

/* The sign is the lowest bit. */
void
pb_sint(struct sbuf *b, unsigned field, int64_t v)
{
	pb_uint(b, field, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

void
pb_add_fixed(struct sbuf *b, uint64_t v)
{
	for (unsigned i = 0; i < 64; i += 8)
		sb_addc(b, (char)(v >> i));
}

void
pb_add_double(struct sbuf *b, double v)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	pb_add_fixed(b, bits);
}

void
pb_fixed(struct sbuf *b, unsigned field, uint64_t v)
{
	pb_varint(b, field << 3 | WIRE_FIXED);
	pb_add_fixed(b, v);
}

void
pb_double(struct sbuf *b, unsigned field, double v)
{
	pb_varint(b, field << 3 | WIRE_FIXED);
	pb_add_double(b, v);
}

void
pb_bytes(struct sbuf *b, unsigned field, const char *at, size_t len)
{
	pb_varint(b, field << 3 | WIRE_BYTES);
	pb_varint(b, len);
	sb_add(b, at ? at : "", len);
}

void
pb_text(struct sbuf *b, unsigned field, const char *text)
{
	pb_bytes(b, field, text, strlen(text));
}

void
pb_message(struct sbuf *b, unsigned field, struct sbuf *message)
{
	pb_bytes(b, field, message->at, message->len);
	b->failed |= message->failed;
	sb_free(message);
}
