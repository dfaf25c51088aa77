/*
 * A tick probe fires again and again until exit().
 */
#pragma D option quiet

BEGIN
{
	n = 0;
}

tick-10ms
{
	n++;
}

tick-10ms
/n == 3/
{
	printf("three\n");
	exit(0);
}
