/*
 * Asserts that a pointer key prints as a number.
 */
#pragma D option quiet

BEGIN
{
	@[(void *)0x10] = count();
	exit(0);
}
