/*
 * A program may not depend on a library; only libraries do.
 */
#pragma D option quiet

#pragma D depends_on library nosuch.d
BEGIN
{
	exit(0);
}
