/*
 * Asserts that system() runs a command and its output comes in order.
 *
 * @@opts: -w
 */
#pragma D option quiet

BEGIN
{
	printf("before\n");
	system("echo during");
	printf("after\n");
	exit(0);
}
