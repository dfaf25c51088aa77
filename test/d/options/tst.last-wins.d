/*
 * Asserts that the last of two settings counts.
 *
 * @@opts: -xstrsize=8 -xstrsize=4
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", strjoin("abcdef", "ghijkl"));
	exit(0);
}
