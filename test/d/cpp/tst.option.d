/*
 * Asserts that -x cpp with -x define is the same as -C -D.
 *
 * @@opts: -x cpp -x define=X=9
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", X);
	exit(0);
}
