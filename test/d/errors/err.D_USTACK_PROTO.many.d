/*
 * ustack() takes two arguments.
 */
#pragma D option quiet

BEGIN
{
	ustack(1, 2, 3);
}
