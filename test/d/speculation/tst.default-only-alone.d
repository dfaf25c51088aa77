/*
 * Asserts that a speculate() with other statements that record nothing leaves no record.
 */

#pragma D option quiet

BEGIN
{
	self->s = speculation();
}

BEGIN
{
	speculate(self->s);
	x = 1;
}

BEGIN
{
	commit(self->s);
}

BEGIN
{
	printf("%d", x);
	exit(0);
}
