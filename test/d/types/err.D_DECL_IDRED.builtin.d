/*
 * A built-in variable can't be declared again.
 */
#pragma D option quiet

string pid;
BEGIN
{
	exit(0);
}
