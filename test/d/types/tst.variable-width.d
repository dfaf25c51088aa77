/*
 * A variable has the type of its first assignment, and later values are cut to it.
 */
#pragma D option quiet

BEGIN
{
	c = (char)1;
	c = 300;
	i = 1;
	i = 0x100000002;
	printf("%d %d\n", c, i);
	exit(0);
}
