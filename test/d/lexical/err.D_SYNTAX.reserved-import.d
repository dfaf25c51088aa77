/*
 * Reserved words are no identifiers: import.
 */
#pragma D option quiet

BEGIN
{
	import = 1;
}
