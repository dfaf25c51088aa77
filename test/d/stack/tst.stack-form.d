/*
 * Asserts that stack() begins with a new line.
 *
 * @@stdout: a
 */
#pragma D option quiet

BEGIN
{
	printf("a");
	stack();
	printf("b\n");
	exit(0);
}
