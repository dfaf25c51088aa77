/*
 * tracemem() takes an address.
 */
#pragma D option quiet

struct s {
	int s_a;
} v;
BEGIN
{
	tracemem(v, 8);
}
