/*
 * Asserts that keys are cut at strsize - 1 bytes, and that keys equal up to there are one.
 *
 * @@opts: -xstrsize=8
 */
#pragma D option quiet

BEGIN
{
	@[strjoin("abcdefg", "1")] = count();
	@[strjoin("abcdefg", "2")] = count();
	exit(0);
}
