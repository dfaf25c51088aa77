/*
 * A built-in variable can't be changed by a compound assignment.
 */
#pragma D option quiet

BEGIN
{
	uid += 1;
}
