/*
 * Only the arm that is chosen is evaluated.
 */
#pragma D option quiet

BEGIN
{
	x = 0;
	y = 0;
	a = 1;
	printf("%d ", a ? ++x : ++y);
	printf("%d %d\n", x, y);
	exit(0);
}
