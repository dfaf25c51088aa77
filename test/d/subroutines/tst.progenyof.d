/*
 * A process is its own progeny, and its parent's.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", progenyof($pid), progenyof($ppid));
	exit(0);
}
