/*
 * A typedef has one definition.
 */
#pragma D option quiet

typedef int foo_t;
typedef long foo_t;
BEGIN
{
	exit(0);
}
