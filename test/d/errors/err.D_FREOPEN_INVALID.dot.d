/*
 * A dot is no file to write to.
 */
/* @@opts: -w */
#pragma D option quiet

BEGIN
{
	freopen(".");
}
