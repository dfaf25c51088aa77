/*
 * Each argument that is used must be given.
 */
/* @@args: a */
#pragma D option quiet

BEGIN
{
	trace($$1);
	trace($$2);
	exit(0);
}
