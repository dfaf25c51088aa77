/*
 * An argument that was not given is an error.
 */
#pragma D option quiet

BEGIN
{
	trace($1);
	exit(0);
}
