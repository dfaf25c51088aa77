/*
 * What the clause had assigned before the error stays assigned.
 */
#pragma D option quiet

BEGIN
{
	x = 5;
	self->y = 6;
	a["k"] = 7;
	*(char *)NULL;
}

BEGIN
{
	printf("%d %d %d\n", x, self->y, a["k"]);
	exit(0);
}
