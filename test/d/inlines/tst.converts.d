/*
 * The value of an inline is converted to its type.
 */
#pragma D option quiet

inline char c = 200;

BEGIN
{
	x = c;
	printf("%d\n", x);
	exit(0);
}
