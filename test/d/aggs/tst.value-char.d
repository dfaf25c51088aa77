/*
 * Asserts that a signed char is sign-extended.
 */
#pragma D option quiet

BEGIN
{
	@ = sum((char)-1);
	exit(0);
}
