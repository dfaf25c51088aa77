/*
 * Asserts that committing after a discard prints nothing.
 */
#pragma D option quiet

BEGIN
{
	self->s = speculation();
}

BEGIN
{
	speculate(self->s);
	printf("never\n");
}

BEGIN
{
	discard(self->s);
}

BEGIN
{
	commit(self->s);
}

BEGIN
{
	exit(0);
}
