/*
 * An inline can't use itself.
 */
#pragma D option quiet

inline int a = a + 1;
BEGIN
{
	exit(0);
}
