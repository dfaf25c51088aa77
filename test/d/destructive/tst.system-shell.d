/*
 * Asserts that system() uses the shell.
 */
#pragma D option quiet

#pragma D option destructive

BEGIN
{
	system("for i in 1 2 3; do echo $i; done | tail -1");
	exit(0);
}
