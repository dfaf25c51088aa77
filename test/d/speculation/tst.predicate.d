/*
 * Asserts that data can be committed by a condition that is known only later.
 */
#pragma D option quiet

BEGIN
{
	self->s = speculation();
}

BEGIN
{
	speculate(self->s);
	printf("details\n");
	self->bad = 1;
}

BEGIN
/self->bad/
{
	commit(self->s);
}

BEGIN
/!self->bad/
{
	discard(self->s);
}

BEGIN
{
	exit(0);
}
