/*
 * Asserts that -D defines a macro.
 *
 * @@opts: -C -DX
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", X);
	exit(0);
}
