/*
 * A tick probe has the name that was written.
 */
#pragma D option quiet

tick-5ms
{
	printf("%s:%s\n", probeprov, probename);
	exit(0);
}
