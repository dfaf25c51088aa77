/*
 * Asserts that a probe without actions prints nothing in quiet mode.
 */
#pragma D option quiet

BEGIN
{
}

BEGIN
{
	exit(0);
}
