/*
 * Built-in variables have the types of DTrace.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", sizeof (pid), sizeof (tid), sizeof (uid), sizeof (id));
	printf("%d %d %d\n", sizeof (timestamp), sizeof (walltimestamp), sizeof (execname));
	exit(0);
}
