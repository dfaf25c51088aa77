/*
 * Asserts that an error in an ERROR clause is counted and reported.
 */

#pragma D option quiet

BEGIN
{
	trace(*(int *)0);
}

ERROR
{
	trace(*(int *)8);
}

ERROR
{
	exit(0);
}
