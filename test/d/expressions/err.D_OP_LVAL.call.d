/*
 * The result of a function can't be assigned to.
 */
#pragma D option quiet

BEGIN
{
	strlen("a") = 1;
}
