/*
 * #pragma D option needs an option.
 */
#pragma D option quiet

#pragma D option
BEGIN
{
	exit(0);
}
