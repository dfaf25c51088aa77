/*
 * Asserts that a specsize that is no size is refused.
 */

#pragma D option specsize=big

BEGIN
{
	exit(0);
}
