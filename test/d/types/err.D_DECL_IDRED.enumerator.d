/*
 * An enumerator may not have the name of a variable.
 */
#pragma D option quiet

int taken;
enum e { taken };
BEGIN
{
	exit(0);
}
