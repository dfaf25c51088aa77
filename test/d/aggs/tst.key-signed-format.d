/*
 * Asserts that printa() with a format shows signed keys by their type.
 */

#pragma D option quiet

BEGIN
{
	@c[(char)-1, (short)-2] = count();
	printa("%d %d %@d", @c);
	exit(0);
}
