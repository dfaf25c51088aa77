/*
 * A declaration has one storage class.
 */
#pragma D option quiet

extern static int x;
BEGIN
{
	exit(0);
}
