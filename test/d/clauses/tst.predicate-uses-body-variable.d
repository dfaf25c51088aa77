/*
 * A predicate may use a variable that only its own body assigns.
 */
#pragma D option quiet

BEGIN
/x == 0/
{
	printf("%d\n", x++);
}

BEGIN
{
	exit(0);
}
