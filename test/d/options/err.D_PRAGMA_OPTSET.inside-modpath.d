/*
 * The option modpath cannot be set inside a script.
 */
#pragma D option modpath=/

BEGIN
{
	exit(0);
}
