/*
 * A cast binds tighter than a binary operator.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", (char)200 + 56, (char)(200 + 56));
	exit(0);
}
