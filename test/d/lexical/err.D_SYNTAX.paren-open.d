/*
 * A parenthesis must be closed.
 */
#pragma D option quiet

BEGIN
{
	trace((1 + 2);
}
