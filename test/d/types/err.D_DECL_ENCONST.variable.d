/*
 * An enumerator is a constant.
 */
#pragma D option quiet

int n;
enum e { E_A = n };
BEGIN
{
	exit(0);
}
