/*
 * A member that does not exist is an error.
 */
#pragma D option quiet

struct s {
	int s_a;
} v;
BEGIN
{
	v.s_nosuch = 1;
}
