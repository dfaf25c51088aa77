/*
 * Asserts that a clause that only aggregates prints no line, even without -q.
 *
 * @@stdout: :END end
 */

BEGIN
{
	@ = count();
}

END
{
	printf("end");
}

tick-10ms
{
	exit(0);
}
