/*
 * NULL is the constant 0, which every pointer compares with.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)NULL;
	printf("%d %d %d\n", sizeof (NULL), p == NULL, NULL == 0);
	exit(0);
}
