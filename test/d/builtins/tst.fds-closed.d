/*
 * A descriptor that is not open has no name in fds[].
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", fds[9999].fi_offset);
	exit(0);
}
