/*
 * A typedef may name an array type.
 */
#pragma D option quiet

typedef int triple_t[3];
triple_t t;

BEGIN
{
	t[2] = 7;
	printf("%d %d\n", t[2], sizeof (triple_t));
	exit(0);
}
