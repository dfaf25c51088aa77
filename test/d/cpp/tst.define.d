/*
 * Asserts that -C runs the preprocessor: #define works.
 *
 * @@opts: -C
 */
#pragma D option quiet

#define ANSWER 42

BEGIN
{
	printf("%d\n", ANSWER);
	exit(0);
}
