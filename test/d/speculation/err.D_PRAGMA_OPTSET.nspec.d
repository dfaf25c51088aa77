/*
 * Asserts that a negative nspec is refused.
 */

#pragma D option nspec=-1

BEGIN
{
	exit(0);
}
