/*
 * A pattern that matches nothing is refused.
 */
#pragma D option quiet

dtrace:::X*
{
	exit(0);
}
