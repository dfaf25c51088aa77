/*
 * The operator -> needs a pointer.
 */
#pragma D option quiet

struct s {
	int s_a;
} v;
BEGIN
{
	trace(v->s_a);
}
