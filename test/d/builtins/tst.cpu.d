/*
 * cpu is a CPU of this machine.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", cpu >= 0 && cpu < 4096);
	exit(0);
}
