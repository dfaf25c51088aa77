/*
 * Asserts that printa() is refused when its only argument is a number.
 */

BEGIN
{
	printa(1);
	exit(0);
}
