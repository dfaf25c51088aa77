/*
 * A structure is not long.
 */
#pragma D option quiet

struct s {
	int s_a;
};
long struct s v;
BEGIN
{
	exit(0);
}
