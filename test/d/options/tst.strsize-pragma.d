/*
 * Asserts that strsize takes effect as a pragma.
 */
#pragma D option quiet

#pragma D option strsize=8

BEGIN
{
	printf("%s\n", strjoin("abcdef", "ghijkl"));
	exit(0);
}
