/*
 * Asserts that copyoutstr() is refused without -w.
 */

#pragma D option quiet

BEGIN
{
	copyoutstr("x", 0, 2);
	exit(0);
}
