/*
 * Asserts that speculation() without a free one is reported.
 */

#pragma D option quiet

BEGIN
{
	speculation();
	speculation();
	exit(0);
}
