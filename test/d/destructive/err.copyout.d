/*
 * Asserts that copyout() is refused without -w.
 */

#pragma D option quiet

BEGIN
{
	copyout(alloca(4), 0, 4);
	exit(0);
}
