/*
 * Asserts that a string is cut at strsize characters before it is printed.
 *
 * @@opts: -xstrsize=9
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", strjoin("abcdefgh", "ijkl"));
	exit(0);
}
