/*
 * Asserts that speculate() as the only statement of a clause speculates the default action.
 */

/* @@nocpu */

BEGIN
{
	self->s = speculation();
}

BEGIN
/self->s/
{
	speculate(self->s);
}

BEGIN
{
	commit(self->s);
}

BEGIN
{
	exit(0);
}
