/*
 * #pragma D attributes needs attributes and a name.
 */
#pragma D option quiet

#pragma D attributes Stable/Stable/Common
BEGIN
{
	exit(0);
}
