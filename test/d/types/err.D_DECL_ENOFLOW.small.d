/*
 * An enumerator fits an int at the lower end too.
 */
#pragma D option quiet

enum e { E_A = -2147483649 };
BEGIN
{
	exit(0);
}
