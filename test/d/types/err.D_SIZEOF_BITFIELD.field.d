/*
 * A bit-field has no size in bytes.
 */
#pragma D option quiet

struct bits {
	int b_a : 3;
} v;
BEGIN
{
	trace(sizeof (v.b_a));
}
