/*
 * Macro arguments are counted past nine.
 */
/* @@args: 1 2 3 4 5 6 7 8 9 10 11 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", $1 + $2 + $3 + $4 + $5 + $6 + $7 + $8 + $9, $10 + $11);
	exit(0);
}
