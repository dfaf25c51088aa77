/*
 * A declaration declares something.
 */
#pragma D option quiet

int;
BEGIN
{
	exit(0);
}
