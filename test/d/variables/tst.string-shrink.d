/*
 * A shorter string leaves nothing of a longer one behind.
 */
#pragma D option quiet

BEGIN
{
	s = "a long text";
	s = "ab";
	printf("[%s] %d\n", s, strlen(s));
	exit(0);
}
