/*
 * $$pid is the number as a string.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", strtoll($$pid) == $pid);
	exit(0);
}
