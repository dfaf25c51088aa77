/*
 * #pragma D depends_on a provider that exists is satisfied.
 */
#pragma D option quiet

#pragma D depends_on provider profile
BEGIN
{
	printf("ran\n");
	exit(0);
}
