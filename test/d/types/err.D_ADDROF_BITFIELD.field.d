/*
 * A bit-field has no address.
 */
#pragma D option quiet

struct b {
	int b_a : 4;
};
BEGIN
{
	p = (struct b *)alloca(sizeof (struct b));
	trace(&p->b_a);
}
