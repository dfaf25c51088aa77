/*
 * All pointers have 8 bytes.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", sizeof (char *), sizeof (void *), sizeof (int **), sizeof (string *));
	exit(0);
}
