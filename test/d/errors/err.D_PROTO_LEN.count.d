/*
 * count() takes no argument.
 */
#pragma D option quiet

BEGIN
{
	@a = count(1);
}
