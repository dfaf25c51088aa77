/*
 * END has its own name.
 */
#pragma D option quiet

BEGIN
{
	exit(0);
}

END
{
	printf("%s:%s\n", probeprov, probename);
}
