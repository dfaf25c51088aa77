/*
 * Asserts that avg() divides as integers.
 */
#pragma D option quiet

BEGIN
{
	@ = avg(1);
	@ = avg(2);
	@ = avg(4);
	exit(0);
}
