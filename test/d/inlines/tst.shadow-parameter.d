/*
 * A parameter hides a global of its name.
 */
#pragma D option quiet

inline int twice[int n] = n * 2;

BEGIN
{
	n = 100;
	printf("%d %d\n", twice[4], n);
	exit(0);
}
