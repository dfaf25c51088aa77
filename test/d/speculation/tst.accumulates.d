/*
 * Asserts that several clauses add to one speculation in order.
 */
#pragma D option quiet

BEGIN
{
	self->s = speculation();
}

BEGIN
{
	speculate(self->s);
	printf("one ");
}

BEGIN
{
	speculate(self->s);
	printf("two ");
}

BEGIN
{
	speculate(self->s);
	printf("three\n");
}

BEGIN
{
	commit(self->s);
}

BEGIN
{
	exit(0);
}
