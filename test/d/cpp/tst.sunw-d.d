/*
 * Asserts that __SUNW_D is defined.
 *
 * @@opts: -C
 */
#pragma D option quiet

#ifndef __SUNW_D
#error not defined
#endif

BEGIN
{
	printf("ok\n");
	exit(0);
}
