/*
 * The sizes of C's integer types are those of LP64.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d\n", sizeof (char), sizeof (short), sizeof (int), sizeof (long), sizeof (long long));
	printf("%d %d %d\n", sizeof (unsigned char), sizeof (unsigned short), sizeof (unsigned));
	printf("%d %d\n", sizeof (unsigned long), sizeof (unsigned long long));
	exit(0);
}
