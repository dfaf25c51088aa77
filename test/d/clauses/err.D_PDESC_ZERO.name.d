/*
 * A description that matches no probe is refused.
 */
#pragma D option quiet

dtrace:::NOSUCH
{
	exit(0);
}
