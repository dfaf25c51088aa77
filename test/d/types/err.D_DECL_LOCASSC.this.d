/*
 * A clause-local variable can't be declared as an associative array.
 */
#pragma D option quiet

this int a[int];
BEGIN
{
	exit(0);
}
