/*
 * BEGIN runs before any other probe.
 */
#pragma D option quiet

int begun;

tick-1ms
/!begun/
{
	printf("too early\n");
	exit(1);
}

BEGIN
{
	begun = 1;
}

tick-1ms
/n++ > 5/
{
	printf("fine\n");
	exit(0);
}
