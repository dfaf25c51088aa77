/*
 * Asserts that a negative sum prints with its sign.
 */
#pragma D option quiet

BEGIN
{
	@ = sum(-10);
	@ = sum(3);
	exit(0);
}
