/*
 * Asserts that DTRACE_OPT_quiet=1 sets a flag.
 *
 * @@env: DTRACE_OPT_quiet=1
 */

BEGIN
{
	printf("x");
	exit(0);
}
