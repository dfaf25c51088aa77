/*
 * typedef gives a type another name.
 */
#pragma D option quiet

typedef int number_t;
typedef unsigned char byte_t, *bytep_t;
typedef struct pair {
	number_t p_a;
	byte_t p_b;
} pair_t;
pair_t v;

BEGIN
{
	v.p_a = -1;
	v.p_b = -1;
	printf("%d %d %d %d\n", v.p_a, v.p_b, sizeof (pair_t), sizeof (bytep_t));
	exit(0);
}
