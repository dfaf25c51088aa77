/*
 * strtoll() of a base that does not exist is fault 3.
 */
#pragma D option quiet

BEGIN
{
	b = 37;
	x = strtoll("5", b);
}

ERROR
{
	printf("%d\n", arg4);
	exit(0);
}
