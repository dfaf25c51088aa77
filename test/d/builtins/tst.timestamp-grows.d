/*
 * timestamp grows from firing to firing.
 */
#pragma D option quiet

BEGIN
{
	t = timestamp;
}

tick-5ms
{
	printf("%d\n", timestamp > t);
	exit(0);
}
