/*
 * ~ turns every bit of its type.
 */
#pragma D option quiet

BEGIN
{
	a = 0;
	b = 0L;
	printf("%d %d %x %x\n", ~0, ~a, ~a, ~b);
	exit(0);
}
