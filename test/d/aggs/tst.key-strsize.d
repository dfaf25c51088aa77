/*
 * Asserts that keys are cut at strsize characters, and that keys equal up to there are one.
 *
 * @@opts: -xstrsize=7
 */
#pragma D option quiet

BEGIN
{
	@[strjoin("abcdefg", "1")] = count();
	@[strjoin("abcdefg", "2")] = count();
	exit(0);
}
