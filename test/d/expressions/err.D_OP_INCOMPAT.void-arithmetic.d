/*
 * A pointer to void can't be counted with.
 */
#pragma D option quiet

BEGIN
{
	p = (void *)0;
	trace(p + 1);
}
