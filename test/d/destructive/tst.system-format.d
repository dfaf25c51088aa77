/*
 * Asserts that system() formats as printf() does.
 *
 * @@opts: -w
 */
#pragma D option quiet

BEGIN
{
	system("echo %s %d", "x", 42);
	exit(0);
}
