/*
 * #pragma D binding gives an inline a version and does no more.
 */
#pragma D option quiet

#pragma D binding "1.0" foo
inline int foo = 5;
BEGIN
{
	printf("%d\n", foo);
	exit(0);
}
