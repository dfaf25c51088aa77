/*
 * A macro argument that is a number is one operand, not text.
 */
/* @@args: -- -2 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", 10 - $1);
	exit(0);
}
