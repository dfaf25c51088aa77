/*
 * Asserts that the sum of strings is refused with the function that joins them.
 */

/* @@stderr: strjoin() */

BEGIN
{
	trace("a" + "b");
}
