/*
 * A string that can't be read is fault 1.
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", stringof((char *)8));
}

ERROR
{
	printf("%d\n", arg4);
	exit(0);
}
