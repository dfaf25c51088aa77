/*
 * A void expression is no key.
 */
#pragma D option quiet

BEGIN
{
	a[(void)1] = 3;
}
