/*
 * The scoping operator is not for the names of enumerators.
 */
#pragma D option quiet

enum e { mod`A };
BEGIN
{
	exit(0);
}
