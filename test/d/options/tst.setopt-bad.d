/*
 * Asserts that setopt() of an unknown option is reported and tracing goes on.
 *
 * @@stderr: nosuchoption
 */
#pragma D option quiet

BEGIN
{
	setopt("nosuchoption", "1");
	printf("on\n");
	exit(0);
}
