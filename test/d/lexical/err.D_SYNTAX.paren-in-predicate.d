/*
 * A predicate may not end inside a parenthesis.
 */
#pragma D option quiet

BEGIN
/(1/
{
	exit(0);
}
