/*
 * A variable needs a complete type.
 */
#pragma D option quiet

struct unknown v;
BEGIN
{
	exit(0);
}
