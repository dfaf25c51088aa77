/*
 * A function does not return an array.
 */
#pragma D option quiet

typedef int three_t[3];
three_t make(int);

BEGIN
{
	exit(0);
}
