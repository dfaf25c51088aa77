/*
 * Asserts that a program may name the version of D that it was written for.
 */

#pragma D option quiet
#pragma D option version=1.6.3

BEGIN
{
	printf("ok");
	exit(0);
}
