/*
 * printf() needs a format.
 */
#pragma D option quiet

BEGIN
{
	printf();
}
