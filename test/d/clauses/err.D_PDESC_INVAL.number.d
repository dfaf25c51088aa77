/*
 * A probe number that does not exist is refused.
 */
#pragma D option quiet

999999999
{
	exit(0);
}
