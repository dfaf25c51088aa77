/*
 * Attributes may be given to an inline before and after it is defined.
 */
#pragma D option quiet

#pragma D attributes Evolving/Evolving/Common foo
inline int foo = 5;
inline int bar = 6;
#pragma D attributes Stable/Stable/Common bar
BEGIN
{
	printf("%d %d\n", foo, bar);
	exit(0);
}
