/*
 * Asserts that setopt() of an option fixed at the start is reported.
 *
 * @@stderr: bufsize
 */
#pragma D option quiet

BEGIN
{
	setopt("bufsize", "1m");
	printf("on\n");
	exit(0);
}
