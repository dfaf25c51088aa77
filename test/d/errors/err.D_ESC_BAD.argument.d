/*
 * A macro argument that ends in a backslash is no string.
 */
/* @@args: 'ab\' */
#pragma D option quiet

BEGIN
{
	trace($$1);
}
