/*
 * An optional argument has its type too.
 */
#pragma D option quiet

BEGIN
{
	trace(index("abc", "b", "0"));
}
