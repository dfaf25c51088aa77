/*
 * Both sides of ^^ are evaluated.
 */
#pragma D option quiet

BEGIN
{
	x = 0;
	printf("%d ", pid ^^ x++);
	printf("%d\n", x);
	exit(0);
}
