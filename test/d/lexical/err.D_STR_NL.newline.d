/*
 * A string literal may not run over the end of a line.
 */
#pragma D option quiet

BEGIN
{
	trace("abc
	");
	exit(0);
}
