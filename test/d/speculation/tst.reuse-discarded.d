/*
 * Asserts that a discarded speculation is free again.
 */
#pragma D option quiet

BEGIN
{
	self->s = speculation();
}

BEGIN
{
	speculate(self->s);
	printf("a\n");
}

BEGIN
{
	discard(self->s);
}

tick-100ms
{
	printf("%d\n", speculation());
	exit(0);
}
