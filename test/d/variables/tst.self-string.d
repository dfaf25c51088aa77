/*
 * A thread-local string is a copy.
 */
#pragma D option quiet

BEGIN
{
	self->s = "abc";
	t = self->s;
	self->s = "de";
	printf("%s %s %d\n", self->s, t, strlen(self->s));
	exit(0);
}
