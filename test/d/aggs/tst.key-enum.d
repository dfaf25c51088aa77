/*
 * Asserts that an enumerator is a key.
 */
#pragma D option quiet

enum e { A, B };

BEGIN
{
	@[B] = count();
	exit(0);
}
