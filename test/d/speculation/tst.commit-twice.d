/*
 * Asserts that committing again prints nothing more.
 */
#pragma D option quiet

BEGIN
{
	self->s = speculation();
}

BEGIN
{
	speculate(self->s);
	printf("once\n");
}

BEGIN
{
	commit(self->s);
}

BEGIN
{
	commit(self->s);
}

BEGIN
{
	exit(0);
}
