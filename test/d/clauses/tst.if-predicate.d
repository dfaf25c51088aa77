/*
 * if works in a clause with a predicate.
 */
#pragma D option quiet

BEGIN
/pid/
{
	if (1 == 1) {
		printf("ran\n");
	}
}

BEGIN
{
	exit(0);
}
