/*
 * A format does not end in the middle of a conversion.
 */
#pragma D option quiet

BEGIN
{
	printf("abc %", 1);
}
