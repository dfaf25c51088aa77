/*
 * $1 of a signed number keeps its sign.
 */
/* @@args: -- -5 +7 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", $1, $2);
	exit(0);
}
