/*
 * A closing parenthesis too many is an error.
 */
#pragma D option quiet

BEGIN
{
	trace(1));
}
