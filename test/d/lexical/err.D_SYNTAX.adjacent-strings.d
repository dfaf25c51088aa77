/*
 * Adjacent string literals are not joined: D is not C here.
 */
#pragma D option quiet

BEGIN
{
	trace("a" "b");
	exit(0);
}
