/*
 * A predicate is a scalar.
 */
#pragma D option quiet

BEGIN
/execname/
{
	exit(0);
}
