/*
 * Asserts the layout of an int key: 8 columns.
 */
#pragma D option quiet

BEGIN
{
	@[-7] = count();
	exit(0);
}
