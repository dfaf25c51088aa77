/*
 * Asserts that no other probe fires after exit() in BEGIN.
 */
#pragma D option quiet

BEGIN
{
	exit(0);
}

tick-1ms
{
	printf("tick\n");
}

END
{
	printf("end\n");
}
