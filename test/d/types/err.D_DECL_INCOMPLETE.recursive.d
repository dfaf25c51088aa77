/*
 * A structure can't hold itself.
 */
#pragma D option quiet

struct s {
	int s_a;
	struct s s_self;
};
BEGIN
{
	exit(0);
}
