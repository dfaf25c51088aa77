/*
 * An integer literal of more than 64 bits is refused.
 */
#pragma D option quiet

BEGIN
{
	trace(0x1ffffffffffffffff);
	exit(0);
}
