/*
 * args[] has no meaning outside of a clause.
 */
#pragma D option quiet

inline int a = args[0];
BEGIN
{
	exit(0);
}
