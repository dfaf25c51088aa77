/*
 * A process is not the progeny of one that does not exist.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", progenyof(0x7ffffffe));
	exit(0);
}
