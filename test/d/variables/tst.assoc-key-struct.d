/*
 * A structure as a key counts by its contents.
 */
#pragma D option quiet

struct key {
	int k_a;
	int k_b;
};
struct key k1;
struct key k2;

BEGIN
{
	k1.k_a = 1;
	k1.k_b = 2;
	k2.k_a = 1;
	k2.k_b = 2;
	a[k1] = 7;
	printf("%d ", a[k2]);
	k2.k_b = 3;
	printf("%d\n", a[k2]);
	exit(0);
}
