/*
 * Asserts that a program without drops says nothing on standard error.
 *
 * @@nostderr
 */
#pragma D option quiet

BEGIN
{
	a[1] = 1;
	@ = count();
	exit(0);
}
