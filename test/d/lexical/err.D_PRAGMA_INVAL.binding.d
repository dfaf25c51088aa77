/*
 * #pragma D binding refuses what is not a version.
 */
#pragma D option quiet

#pragma D binding "one" foo
inline int foo = 1;
BEGIN
{
	exit(0);
}
