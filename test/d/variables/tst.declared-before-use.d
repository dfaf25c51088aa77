/*
 * A global may be used by a clause before the clause that assigns it, if it is declared.
 */
#pragma D option quiet

int x;

BEGIN
{
	printf("%d ", x);
	x = 3;
}

BEGIN
{
	printf("%d\n", x);
	exit(0);
}
