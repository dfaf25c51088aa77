/*
 * An unknown #pragma D is refused.
 */
#pragma D option quiet

#pragma D nosuchpragma
BEGIN
{
	exit(0);
}
