/*
 * Asserts that raise() takes a number.
 */

#pragma D option destructive

BEGIN
{
	raise("x");
}
