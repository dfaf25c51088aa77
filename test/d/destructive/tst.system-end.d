/*
 * Asserts that system() in END runs.
 */
#pragma D option quiet

#pragma D option destructive

BEGIN
{
	exit(0);
}

END
{
	system("echo end");
}
