/*
 * Asserts that the default layout of a negative value fills 16 columns.
 */
#pragma D option quiet

BEGIN
{
	@a = sum(-12);
	printa(@a);
	exit(0);
}
