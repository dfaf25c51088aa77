/*
 * An enumerator cannot be defined twice.
 */
enum e { A, A };

BEGIN
{
	exit(0);
}
