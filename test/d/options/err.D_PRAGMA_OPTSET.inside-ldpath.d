/*
 * The option ldpath cannot be set inside a script.
 */
#pragma D option ldpath=/bin/ld

BEGIN
{
	exit(0);
}
