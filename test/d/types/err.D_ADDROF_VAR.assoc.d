/*
 * An element of an associative array has no address.
 */
#pragma D option quiet

BEGIN
{
	a[1] = 1;
	trace(&a[1]);
}
