/*
 * A pointer to void can't be followed.
 */
#pragma D option quiet

BEGIN
{
	p = (void *)0x1000;
	trace(*p);
}
