/*
 * Asserts that macros with parameters work.
 *
 * @@opts: -C
 */
#pragma D option quiet

#define TWICE(x) ((x) * 2)

BEGIN
{
	printf("%d\n", TWICE(21));
	exit(0);
}
