/*
 * A global keeps its value from clause to clause.
 */
#pragma D option quiet

BEGIN
{
	x = 5;
}

BEGIN
{
	x += 2;
}

BEGIN
{
	printf("%d\n", x);
	exit(0);
}
