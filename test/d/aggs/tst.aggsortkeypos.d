/*
 * Asserts that aggsortkeypos chooses the key to sort by.
 *
 * @@opts: -xaggsortkey -xaggsortkeypos=1
 */
#pragma D option quiet

BEGIN
{
	@["a", 3] = sum(20);
	@["b", 2] = sum(30);
	@["c", 1] = sum(10);
	exit(0);
}
