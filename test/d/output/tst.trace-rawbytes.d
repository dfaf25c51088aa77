/*
 * Asserts that rawbytes shows strings as bytes.
 *
 * @@opts: -xrawbytes -xstrsize=16
 * @@stdout: 0: 41 42 00
 */
#pragma D option quiet

BEGIN
{
	trace("AB");
	exit(0);
}
