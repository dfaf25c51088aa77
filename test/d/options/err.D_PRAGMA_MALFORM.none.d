/*
 * Asserts that a pragma without an option is refused.
 */

#pragma D option

BEGIN
{
	exit(0);
}
