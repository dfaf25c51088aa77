/*
 * alloca() of more than there is gives fault 5.
 */
#pragma D option quiet

BEGIN
{
	n = 1 << 30;
	p = alloca(n);
}

ERROR
{
	printf("%d\n", arg4);
	exit(0);
}
