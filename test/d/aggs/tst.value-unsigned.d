/*
 * Asserts that a 32-bit unsigned value is not sign-extended.
 */
#pragma D option quiet

BEGIN
{
	@ = sum((uint32_t)-1);
	exit(0);
}
