/*
 * The size of a sum is that of the wider operand's type: DTrace has no integer promotion.
 */
#pragma D option quiet

BEGIN
{
	c = (char)1;
	s = (short)1;
	l = 1l;
	printf("%d %d %d %d\n", sizeof (c), sizeof (c + c), sizeof (s + c), sizeof (c + l));
	exit(0);
}
