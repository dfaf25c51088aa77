/*
 * A constant inline may size an array.
 */
#pragma D option quiet

inline int size = 4;
int a[size];

BEGIN
{
	printf("%d\n", sizeof (a));
	exit(0);
}
