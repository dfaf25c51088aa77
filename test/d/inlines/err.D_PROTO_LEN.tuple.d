/*
 * An inline takes as many parameters as it has.
 */
#pragma D option quiet

inline int total[int x, int y] = x + y;
BEGIN
{
	trace(total[1]);
}
