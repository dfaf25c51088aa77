/*
 * A structure and a number are no type together.
 */
#pragma D option quiet

struct s {
	int s_a;
} int v;
BEGIN
{
	exit(0);
}
