/*
 * ?: binds looser than || and tighter than =.
 */
#pragma D option quiet

BEGIN
{
	x = 0 || 1 ? 5 : 6;
	printf("%d\n", x);
	exit(0);
}
