/*
 * Asserts that a struct without members is refused.
 */

struct nothing {
};

BEGIN
{
	exit(0);
}
