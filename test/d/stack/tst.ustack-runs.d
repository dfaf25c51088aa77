/*
 * Asserts that ustack() with frames and string size is accepted.
 *
 * @@stdout: ok
 */
#pragma D option quiet

BEGIN
{
	ustack(5, 128);
	printf("ok\n");
	exit(0);
}
