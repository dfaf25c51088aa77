/*
 * An inline is no array of scalars.
 */
#pragma D option quiet

inline int a[5] = 1;
BEGIN
{
	exit(0);
}
