/*
 * A function that does not exist can't be called.
 */
#pragma D option quiet

BEGIN
{
	nosuchfunction(1);
}
