/*
 * A type of a module that nothing is known of.
 */
#pragma D option quiet

struct nosuchmodule`thing *p;

BEGIN
{
	exit(0);
}
