/*
 * Asserts that tracing without a buffer is refused.
 */

#pragma D option bufsize=0

BEGIN
{
	exit(0);
}
