/*
 * inet_ntop() of a family that does not exist is fault 3.
 */
#pragma D option quiet

BEGIN
{
	p = alloca(16);
	s = inet_ntop(99, p);
}

ERROR
{
	printf("%d\n", arg4);
	exit(0);
}
