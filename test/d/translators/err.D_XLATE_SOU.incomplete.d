/*
 * A translator makes a structure that is defined.
 */
#pragma D option quiet

struct unknown;
translator struct unknown < int n > {
	x = n;
};
BEGIN
{
	exit(0);
}
