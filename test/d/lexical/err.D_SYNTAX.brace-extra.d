/*
 * A closing brace too many is an error.
 */
#pragma D option quiet

BEGIN
{
	trace(1);
}
}
