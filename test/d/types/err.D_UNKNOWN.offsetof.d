/*
 * offsetof needs a member that exists.
 */
#pragma D option quiet

struct s {
	int s_a;
};
BEGIN
{
	trace(offsetof(struct s, s_b));
}
