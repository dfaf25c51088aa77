/*
 * Fields that are left out are the left ones.
 */
#pragma D option quiet

:::BEGIN
{
	printf("a");
}

::BEGIN
{
	printf("b");
}

:BEGIN
{
	printf("c\n");
	exit(0);
}
