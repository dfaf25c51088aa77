/*
 * #pragma D depends_on a provider that does not exist is an error.
 */
#pragma D option quiet

#pragma D depends_on provider nosuchprovider
BEGIN
{
	exit(0);
}
