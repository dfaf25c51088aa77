/*
 * Asserts that stackindent is accepted while stacks are printed.
 *
 * @@opts: -xstackindent=2
 * @@stdout: ok
 */
#pragma D option quiet

BEGIN
{
	stack();
	printf("ok\n");
	exit(0);
}
