/*
 * Asserts that #pragma D passes the preprocessor.
 *
 * @@opts: -C
 */
#pragma D option quiet

#pragma D option strsize=4

BEGIN
{
	printf("%s\n", strjoin("ab", "cd"));
	exit(0);
}
