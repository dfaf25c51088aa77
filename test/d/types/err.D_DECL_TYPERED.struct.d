/*
 * A structure has one definition.
 */
#pragma D option quiet

struct s {
	int s_a;
};
struct s {
	int s_b;
};
BEGIN
{
	exit(0);
}
