/*
 * args needs an index.
 */
#pragma D option quiet

BEGIN
{
	trace(args);
}
