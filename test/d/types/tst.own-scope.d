/*
 * Asserts that D` names the program's own types, in casts, sizeof and after struct.
 */

#pragma D option quiet

typedef struct pair {
	int a;
	int b;
} pair_t;

BEGIN
{
	p = (D`pair_t *)alloca(sizeof (D`pair_t));
	p->b = 7;
	q = (struct D`pair *)p;
	printf("%d %d", q->b, sizeof (struct D`pair));
	exit(0);
}
