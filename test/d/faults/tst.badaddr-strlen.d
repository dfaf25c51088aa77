/*
 * A function that can't read its string gives fault 1.
 */
#pragma D option quiet

BEGIN
{
	x = strlen((char *)16);
}

ERROR
{
	printf("%d\n", arg4);
	exit(0);
}
