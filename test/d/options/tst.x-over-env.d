/*
 * Asserts that -x comes after the environment.
 *
 * @@env: DTRACE_OPT_strsize=8
 * @@opts: -xstrsize=4
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", strjoin("abcdef", "ghijkl"));
	exit(0);
}
