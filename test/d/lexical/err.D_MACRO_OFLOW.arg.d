/*
 * A number too large for 64 bits is refused as a macro argument.
 */
/* @@args: 99999999999999999999 */
#pragma D option quiet

BEGIN
{
	trace($1);
	exit(0);
}
