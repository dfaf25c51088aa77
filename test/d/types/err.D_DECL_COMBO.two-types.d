/*
 * A declaration has one type.
 */
#pragma D option quiet

int char x;
BEGIN
{
	exit(0);
}
