/*
 * Asserts that discarded data is not printed.
 */
#pragma D option quiet

BEGIN
{
	self->s = speculation();
}

BEGIN
{
	speculate(self->s);
	printf("speculated\n");
}

BEGIN
{
	discard(self->s);
	printf("discarded\n");
}

BEGIN
{
	exit(0);
}
