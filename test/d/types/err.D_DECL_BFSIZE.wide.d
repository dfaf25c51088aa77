/*
 * A bit-field is no wider than its type.
 */
#pragma D option quiet

struct b {
	int b_a : 33;
};
BEGIN
{
	exit(0);
}
