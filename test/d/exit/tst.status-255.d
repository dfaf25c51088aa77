/*
 * Asserts that statuses are 8 bits.
 *
 * @@exit: 255
 */
#pragma D option quiet

BEGIN
{
	exit(255);
}
