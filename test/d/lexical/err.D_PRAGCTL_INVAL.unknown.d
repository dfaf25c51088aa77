/*
 * A control line that D does not know is refused.
 */
#pragma D option quiet

#nosuchdirective x
BEGIN
{
	exit(0);
}
