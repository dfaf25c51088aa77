/*
 * The option unsetenv cannot be set inside a script.
 */
#pragma D option unsetenv=A

BEGIN
{
	exit(0);
}
