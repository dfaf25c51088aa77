/*
 * The frames of ustack() are a constant.
 */
#pragma D option quiet

BEGIN
{
	ustack("5");
}
