/*
 * A variable cannot be a function, only point to one.
 */
#pragma D option quiet

typedef int fn_t(void);
self fn_t f;

BEGIN
{
	exit(0);
}
