/*
 * There are no arrays of functions.
 */
#pragma D option quiet

typedef int fn_t(void);
fn_t all[3];

BEGIN
{
	exit(0);
}
