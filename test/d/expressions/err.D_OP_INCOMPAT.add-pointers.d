/*
 * Two pointers can't be added.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)0;
	trace(p + p);
}
