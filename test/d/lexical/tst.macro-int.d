/*
 * $1 of a number is that number.
 */
/* @@args: 42 0x10 010 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", $1, $2, $3);
	exit(0);
}
