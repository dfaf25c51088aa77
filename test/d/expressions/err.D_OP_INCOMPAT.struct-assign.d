/*
 * Structures of different types are not assigned to each other.
 */
#pragma D option quiet

struct s1 {
	int a;
} v1;
struct s2 {
	int a;
} v2;
BEGIN
{
	v1 = v2;
}
