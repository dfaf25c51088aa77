/*
 * A structure is neither signed nor unsigned.
 */
#pragma D option quiet

struct s {
	int s_a;
};
unsigned struct s v;
BEGIN
{
	exit(0);
}
