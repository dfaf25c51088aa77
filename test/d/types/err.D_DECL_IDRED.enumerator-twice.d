/*
 * The enumerators of an enumeration have different names.
 */
#pragma D option quiet

enum e { E_A, E_B, E_A };
BEGIN
{
	exit(0);
}
