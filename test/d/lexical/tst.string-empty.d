/*
 * The empty string literal has length 0.
 */
#pragma D option quiet

BEGIN
{
	printf("[%s] %d\n", "", strlen(""));
	exit(0);
}
