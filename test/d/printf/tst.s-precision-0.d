/*
 * A precision of 0 is no precision for strings.
 */
#pragma D option quiet

BEGIN
{
	printf("[%.0s] [%.*s] [%.1s]\n", "abc", 0, "abc", "abc");
	exit(0);
}
