/*
 * Asserts that printa() is refused when the format is empty.
 */

BEGIN
{
	@a = count();
	printa("", @a);
	exit(0);
}
