/*
 * Attributes for a name that never comes are an error.
 */
#pragma D option quiet

#pragma D attributes Stable/Stable/Common never_defined
BEGIN
{
	exit(0);
}
