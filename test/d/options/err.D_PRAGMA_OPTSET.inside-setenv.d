/*
 * The option setenv cannot be set inside a script.
 */
#pragma D option setenv=A=b

BEGIN
{
	exit(0);
}
