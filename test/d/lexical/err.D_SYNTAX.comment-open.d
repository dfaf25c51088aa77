/*
 * A block comment that never ends is an error.
 */
#pragma D option quiet

BEGIN
{
	exit(0);
}
/* no end
