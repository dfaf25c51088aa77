/*
 * C's ways to write one integer type are the same type.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", sizeof (short int), sizeof (int short), sizeof (signed short int));
	printf("%d %d %d\n", sizeof (long int), sizeof (unsigned long int), sizeof (long unsigned));
	printf("%d %d\n", sizeof (long long int), sizeof (unsigned long long int));
	exit(0);
}
