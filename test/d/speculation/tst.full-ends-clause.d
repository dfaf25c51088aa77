/*
 * Asserts that a record that does not fit the speculation ends the clause.
 */

/* @@stderr: 1 speculative drop */
#pragma D option quiet
#pragma D option specsize=32

BEGIN
{
	self->s = speculation();
}

BEGIN
{
	speculate(self->s);
	printf("%s", "too long for it");
	x = 1;
}

BEGIN
{
	printf("%d", x);
	exit(0);
}
