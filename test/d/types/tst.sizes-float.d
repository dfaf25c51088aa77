/*
 * Floating types are known to declarations and to sizeof.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", sizeof (float), sizeof (double), sizeof (long double));
	exit(0);
}
