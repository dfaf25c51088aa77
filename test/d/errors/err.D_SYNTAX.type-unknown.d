/*
 * A type that does not exist is refused.
 */
#pragma D option quiet

BEGIN
{
	x = (nosuchtype_t *)0;
}
