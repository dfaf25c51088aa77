/*
 * Asserts that a string is cut at strsize - 1 bytes before it is printed.
 *
 * @@opts: -xstrsize=10
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", strjoin("abcdefgh", "ijkl"));
	exit(0);
}
