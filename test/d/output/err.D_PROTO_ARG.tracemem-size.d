/*
 * Asserts that the size that tracemem() is given must be a number.
 */

BEGIN
{
	tracemem(alloca(8), "8");
}
