/*
 * A predicate may stand on lines of its own.
 */
#pragma D option quiet

BEGIN
/
	1 &&
	2
/
{
	printf("ran\n");
	exit(0);
}
