/*
 * Asserts that printa() is refused when a conversion has no key.
 */

BEGIN
{
	@a[1] = count();
	printa("%d %d %@d\n", @a);
	exit(0);
}
