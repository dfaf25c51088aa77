/*
 * Asserts that -D name=value defines a macro with a value.
 *
 * @@opts: -C -D X=7
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", X);
	exit(0);
}
