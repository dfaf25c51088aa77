/*
 * #pragma D binding needs the version as a string.
 */
#pragma D option quiet

#pragma D binding 1.0 foo
inline int foo = 1;
BEGIN
{
	exit(0);
}
