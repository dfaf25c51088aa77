/*
 * The format of printf() is a constant.
 */
#pragma D option quiet

BEGIN
{
	printf(probename);
}
