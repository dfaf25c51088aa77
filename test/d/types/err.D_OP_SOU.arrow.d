/*
 * The operator -> needs a pointer to a structure.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)0;
	trace(p->member);
}
