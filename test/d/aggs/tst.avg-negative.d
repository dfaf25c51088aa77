/*
 * Asserts that a negative average is rounded toward zero.
 */
#pragma D option quiet

BEGIN
{
	@ = avg(-3);
	@ = avg(-4);
	exit(0);
}
