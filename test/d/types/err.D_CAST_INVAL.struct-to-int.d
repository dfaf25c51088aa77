/*
 * A structure can't be cast to a number.
 */
#pragma D option quiet

struct s {
	int s_a;
} v;
BEGIN
{
	trace((int)v);
}
