/*
 * Bit-fields share the storage unit of their type.
 */
#pragma D option quiet

struct b {
	int b_a : 3;
	int b_b : 5;
	int b_c : 24;
};
struct c {
	unsigned c_a : 20;
	unsigned c_b : 20;
};

BEGIN
{
	printf("%d %d\n", sizeof (struct b), sizeof (struct c));
	exit(0);
}
