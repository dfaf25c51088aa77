/*
 * Asserts that trace() in quiet mode prints the bare value.
 */
#pragma D option quiet

BEGIN
{
	trace(42);
	trace("abc");
	trace((int64_t)-1);
	exit(0);
}
