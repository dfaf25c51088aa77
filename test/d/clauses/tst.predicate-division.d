/*
 * A division inside a predicate is no end of the predicate.
 */
#pragma D option quiet

BEGIN
/10 / 2 == 5/
{
	printf("ran\n");
}

BEGIN
/(8 / 2) / 2 == 2 && pid / 1 == pid/
{
	printf("ran\n");
	exit(0);
}
