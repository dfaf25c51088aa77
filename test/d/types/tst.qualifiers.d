/*
 * const and volatile are accepted and change nothing.
 */
#pragma D option quiet

const int ci;
volatile long vl;

BEGIN
{
	printf("%d %d %d\n", sizeof (ci), sizeof (vl), sizeof (const char * const));
	exit(0);
}
