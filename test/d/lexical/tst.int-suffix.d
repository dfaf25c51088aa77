/*
 * The suffixes u, l, ul, ll and ull, in either case, choose the width of a literal.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d %d\n", sizeof (1), sizeof (1u), sizeof (1l), sizeof (1ul), sizeof (1ll), sizeof (1ull));
	printf("%d %d %d %d\n", sizeof (1U), sizeof (1L), sizeof (1UL), sizeof (1ULL));
	exit(0);
}
