/*
 * Asserts that DTRACE_OPT_strsize takes effect.
 *
 * @@env: DTRACE_OPT_strsize=8
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", strjoin("abcdef", "ghijkl"));
	exit(0);
}
