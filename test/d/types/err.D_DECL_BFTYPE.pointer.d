/*
 * A bit-field is an integer.
 */
#pragma D option quiet

struct b {
	char *b_a : 4;
};
BEGIN
{
	exit(0);
}
