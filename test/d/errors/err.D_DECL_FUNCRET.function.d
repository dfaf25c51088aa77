/*
 * A function does not return a function.
 */
#pragma D option quiet

typedef int fn_t(void);
fn_t make(int);

BEGIN
{
	exit(0);
}
