/*
 * A structure is not averaged.
 */
#pragma D option quiet

struct s {
	int s_a;
} v;
BEGIN
{
	@a = avg(v);
}
