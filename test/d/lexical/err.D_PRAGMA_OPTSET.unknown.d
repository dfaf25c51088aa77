/*
 * #pragma D option refuses options that do not exist.
 */
#pragma D option quiet

#pragma D option nosuchoption
BEGIN
{
	exit(0);
}
