/*
 * The format of printf() is not empty.
 */
#pragma D option quiet

BEGIN
{
	printf("");
}
