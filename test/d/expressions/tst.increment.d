/*
 * ++ and -- before and after a variable.
 */
#pragma D option quiet

BEGIN
{
	x = 5;
	printf("%d ", x++);
	printf("%d ", x);
	printf("%d ", ++x);
	printf("%d ", x--);
	printf("%d ", x);
	printf("%d\n", --x);
	exit(0);
}
