/*
 * A number can't be cast to a structure.
 */
#pragma D option quiet

struct s {
	int s_a;
};
BEGIN
{
	trace((struct s)1);
}
