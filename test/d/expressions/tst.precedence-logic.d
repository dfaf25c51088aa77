/*
 * && binds tighter than ^^, which binds tighter than ||.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", 1 || 1 && 0, 0 ^^ 1 && 0, 1 || 1 ^^ 1);
	exit(0);
}
