/*
 * Pointers compare by address and with NULL.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)0x1000;
	printf("%d %d %d %d\n", p == p + 0, p < p + 1, p != NULL, p == 0);
	exit(0);
}
