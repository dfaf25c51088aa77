/*
 * Asserts that a count assigned to a variable is refused with the way to write it.
 */

/* @@stderr: @name = function() */

BEGIN
{
	x = count();
}
