/*
 * An argument that the program never uses is an error.
 */
/* @@args: a b */
#pragma D option quiet

BEGIN
{
	trace($$1);
	exit(0);
}
