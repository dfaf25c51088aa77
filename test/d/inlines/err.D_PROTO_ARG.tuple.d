/*
 * The parameters of an inline have their types.
 */
#pragma D option quiet

inline int total[int x, int y] = x + y;
BEGIN
{
	trace(total[1, "a"]);
}
