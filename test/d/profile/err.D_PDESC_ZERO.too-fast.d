/*
 * Asserts that a rate that the provider cannot keep is a probe that does not exist.
 */

profile-1ns
{
	exit(0);
}
