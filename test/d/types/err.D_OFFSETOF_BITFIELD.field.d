/*
 * A bit-field has no offset in bytes.
 */
#pragma D option quiet

struct b {
	int b_a : 4;
};
BEGIN
{
	trace(offsetof(struct b, b_a));
}
