/*
 * A structure is no predicate.
 */
#pragma D option quiet

struct s {
	int s_a;
} v;
BEGIN
/v/
{
	exit(0);
}
