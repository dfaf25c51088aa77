/*
 * An inline of a variable may be assigned to when the variable may.
 */
#pragma D option quiet

int target;
inline int alias = target;

BEGIN
{
	alias = 5;
	printf("%d\n", target);
	exit(0);
}
