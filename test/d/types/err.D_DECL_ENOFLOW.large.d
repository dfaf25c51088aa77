/*
 * An enumerator fits an int.
 */
#pragma D option quiet

enum e { E_A = 0x7fffffff + 1L };
BEGIN
{
	exit(0);
}
