/*
 * #pragma D option works after a clause as well.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", strlen("ok"));
	exit(0);
}
#pragma D option strsize=64
