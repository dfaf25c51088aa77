/*
 * An inline may use an earlier one.
 */
#pragma D option quiet

inline int one = 1;
inline int two = one + one;
inline int four = two * two;

BEGIN
{
	printf("%d\n", four);
	exit(0);
}
