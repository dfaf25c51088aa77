/*
 * Asserts that D does not compute with floating values.
 */

float f;

BEGIN
{
	trace(f + 1);
}
