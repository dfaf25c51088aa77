/*
 * Asserts that -x strsize takes effect.
 *
 * @@opts: -xstrsize=8
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", strjoin("abcdef", "ghijkl"));
	exit(0);
}
