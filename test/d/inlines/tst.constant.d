/*
 * An inline stands for its constant.
 */
#pragma D option quiet

inline int answer = 6 * 7;

BEGIN
{
	printf("%d\n", answer);
	exit(0);
}
