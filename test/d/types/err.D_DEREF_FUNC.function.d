/*
 * A pointer to a function can't be followed.
 */
#pragma D option quiet

typedef int (*fn_t)(int);
BEGIN
{
	f = (fn_t)0x1000;
	trace(*f);
}
