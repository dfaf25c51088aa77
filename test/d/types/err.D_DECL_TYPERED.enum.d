/*
 * An enumeration has one definition.
 */
#pragma D option quiet

enum e { E_A };
enum e { E_B };
BEGIN
{
	exit(0);
}
