/*
 * A column of keys is as wide as the widest of its uses: no key is cut to the type of the first.
 */
#pragma D option quiet

BEGIN
{
	@[(char)1] = count();
	@[70000] = count();
	@[123456789012] = count();
	@[-1] = count();
	exit(0);
}
