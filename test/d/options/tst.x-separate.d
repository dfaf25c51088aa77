/*
 * Asserts that -x takes its option as the next argument.
 *
 * @@opts: -x strsize=8
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", strjoin("abcdef", "ghijkl"));
	exit(0);
}
