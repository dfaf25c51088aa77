/*
 * A pointer to void can't be moved by ++.
 */
#pragma D option quiet

BEGIN
{
	p = (void *)0;
	p++;
}
