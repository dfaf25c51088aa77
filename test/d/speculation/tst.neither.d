/*
 * Asserts that data neither committed nor discarded is not printed.
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
	exit(0);
}
