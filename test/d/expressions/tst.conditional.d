/*
 * ?: chooses.
 */
#pragma D option quiet

BEGIN
{
	a = 1;
	b = 0;
	printf("%d %d %d %d\n", 1 ? 2 : 3, 0 ? 2 : 3, a ? 2 : 3, b ? 2 : 3);
	exit(0);
}
