/*
 * A structure is no string.
 */
#pragma D option quiet

struct s {
	int s_a;
} v;
BEGIN
{
	trace(stringof(v));
}
