/*
 * Asserts that a version of D that does not exist is refused.
 */

/* @@opts: -xversion=9.0 */

BEGIN
{
	exit(0);
}
