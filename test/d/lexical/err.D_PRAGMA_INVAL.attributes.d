/*
 * #pragma D attributes refuses what are not attributes.
 */
#pragma D option quiet

#pragma D attributes Good/Better/Best foo
inline int foo = 1;
BEGIN
{
	exit(0);
}
