/*
 * Asserts that DTRACE_OPT_quiet is a flag without a value.
 *
 * @@env: DTRACE_OPT_quiet=
 */

BEGIN
{
	printf("x");
	exit(0);
}
