/*
 * An inline has no storage class.
 */
#pragma D option quiet

inline self int a = 1;
BEGIN
{
	exit(0);
}
