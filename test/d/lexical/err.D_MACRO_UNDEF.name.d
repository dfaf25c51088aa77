/*
 * A macro variable that does not exist is an error.
 */
#pragma D option quiet

BEGIN
{
	trace($nosuchmacro);
	exit(0);
}
