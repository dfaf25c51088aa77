/*
 * Division cuts towards zero and the remainder has the sign of the dividend.
 */
#pragma D option quiet

BEGIN
{
	a = -7;
	b = 2;
	printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
	printf("%d %d %d %d\n", a / b, a % b, -a / -b, -a % -b);
	exit(0);
}
