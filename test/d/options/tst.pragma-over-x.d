/*
 * Asserts that a pragma comes after -x.
 *
 * @@opts: -xstrsize=8
 */
#pragma D option quiet

#pragma D option strsize=4

BEGIN
{
	printf("%s\n", strjoin("abcdef", "ghijkl"));
	exit(0);
}
