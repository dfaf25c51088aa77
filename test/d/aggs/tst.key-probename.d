/*
 * Asserts that built-in strings are keys.
 */
#pragma D option quiet

BEGIN
{
	@[probeprov, probemod, probefunc, probename] = count();
	printa("%s:%s:%s:%s %@d\n", @);
	exit(0);
}
