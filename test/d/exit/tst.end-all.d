/*
 * Asserts that exit() in END does not keep later END clauses from running.
 *
 * @@exit: 2
 */
#pragma D option quiet

BEGIN
{
	exit(0);
}

END
{
	exit(2);
}

END
{
	printf("still\n");
}
