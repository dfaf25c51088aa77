/*
 * The width of a bit-field is positive.
 */
#pragma D option quiet

struct b {
	int b_a : -1;
};
BEGIN
{
	exit(0);
}
