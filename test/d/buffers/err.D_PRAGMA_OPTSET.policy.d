/*
 * Asserts that an unknown buffer policy is refused.
 */

#pragma D option bufpolicy=round

BEGIN
{
	exit(0);
}
