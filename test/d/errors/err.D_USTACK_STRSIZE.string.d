/*
 * The string size of ustack() is a constant.
 */
#pragma D option quiet

BEGIN
{
	ustack(5, "10");
}
