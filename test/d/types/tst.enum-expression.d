/*
 * The value of an enumerator may be a constant expression of earlier ones.
 */
#pragma D option quiet

enum e { E_A = 1 << 4, E_B = E_A | 1, E_C = sizeof (int) };

BEGIN
{
	printf("%d %d %d\n", E_A, E_B, E_C);
	exit(0);
}
