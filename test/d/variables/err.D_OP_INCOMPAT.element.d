/*
 * The elements of an associative array have one type.
 */
#pragma D option quiet

BEGIN
{
	a[1] = "a";
	a[2] = 1;
}
