/*
 * Asserts that speculations are printed in the order of their commits.
 *
 * @@opts: -xnspec=2
 */
#pragma D option quiet

BEGIN
{
	a = speculation();
	b = speculation();
}

BEGIN
{
	speculate(a);
	printf("first ");
}

BEGIN
{
	speculate(b);
	printf("second ");
}

BEGIN
{
	commit(b);
}

BEGIN
{
	commit(a);
}

BEGIN
{
	exit(0);
}
