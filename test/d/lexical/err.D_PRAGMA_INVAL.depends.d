/*
 * #pragma D depends_on knows module, provider and library only.
 */
#pragma D option quiet

#pragma D depends_on planet mars
BEGIN
{
	exit(0);
}
