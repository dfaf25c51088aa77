/*
 * strchr() of a character that is not there is NULL.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", strchr("abc", 'x') == NULL, strchr("abc", 'b') == NULL);
	exit(0);
}
