/*
 * END sees what BEGIN left in a global.
 */
#pragma D option quiet

BEGIN
{
	x = 5;
	s = "text";
	exit(0);
}

END
{
	printf("%d %s\n", x, s);
}
