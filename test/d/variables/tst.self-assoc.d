/*
 * A thread-local associative array.
 */
#pragma D option quiet

BEGIN
{
	self->a[1, "x"] = 5;
	self->a[2, "x"]++;
	printf("%d %d %d\n", self->a[1, "x"], self->a[2, "x"], self->a[3, "x"]);
	exit(0);
}
