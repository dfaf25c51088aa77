/*
 * An element of a thread-local array is freed by 0.
 */
#pragma D option quiet

BEGIN
{
	self->a["x"] = 5;
	self->a["x"] = 0;
	printf("%d\n", self->a["x"]);
	exit(0);
}
