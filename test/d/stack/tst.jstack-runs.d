/*
 * Asserts that jstack() is accepted with and without arguments.
 *
 * @@stdout: ok
 */
#pragma D option quiet

BEGIN
{
	jstack();
	jstack(4);
	jstack(4, 64);
	printf("ok\n");
	exit(0);
}
