/*
 * denormalize() has the tags of normalize().
 */
#pragma D option quiet

BEGIN
{
	denormalize(@a[1]);
}
