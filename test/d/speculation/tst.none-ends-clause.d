/*
 * Asserts that speculate() of no speculation ends the clause: its later statements do not run.
 */

#pragma D option quiet

BEGIN
{
	x = 1;
	speculate(0);
	x = 2;
	trace("no");
}

BEGIN
{
	self->s = speculation();
	discard(self->s);
	speculate(self->s);
	x = 3;
}

BEGIN
{
	printf("%d", x);
	exit(0);
}
