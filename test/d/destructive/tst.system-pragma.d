/*
 * Asserts that the destructive pragma is the same as -w.
 */
#pragma D option quiet

#pragma D option destructive

BEGIN
{
	system("echo ok");
	exit(0);
}
