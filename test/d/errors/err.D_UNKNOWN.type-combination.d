/*
 * A type made of words that do not go together is refused.
 */
#pragma D option quiet

BEGIN
{
	x = (long short)0;
}
