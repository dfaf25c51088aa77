/*
 * The width of a bit-field is a constant.
 */
#pragma D option quiet

int n;
struct b {
	int b_a : n;
};
BEGIN
{
	exit(0);
}
