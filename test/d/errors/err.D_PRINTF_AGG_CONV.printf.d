/*
 * %@ belongs to printa().
 */
#pragma D option quiet

BEGIN
{
	printf("%@d", 1);
}
