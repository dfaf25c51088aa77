/*
 * Attributes of a built-in variable can't be changed.
 */
#pragma D option quiet

#pragma D attributes Stable/Stable/Common pid
BEGIN
{
	exit(0);
}
