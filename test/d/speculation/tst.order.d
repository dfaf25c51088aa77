/*
 * Asserts that speculated data is printed at the place of its commit.
 */
#pragma D option quiet

BEGIN
{
	self->s = speculation();
}

BEGIN
{
	speculate(self->s);
	printf("speculated ");
}

BEGIN
{
	printf("before ");
}

BEGIN
{
	commit(self->s);
}

BEGIN
{
	printf("after\n");
	exit(0);
}
