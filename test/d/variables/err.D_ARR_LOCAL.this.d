/*
 * A clause-local variable can't be an associative array.
 */
#pragma D option quiet

BEGIN
{
	this->a[1] = 2;
}
