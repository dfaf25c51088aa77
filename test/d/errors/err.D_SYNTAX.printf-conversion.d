/*
 * A conversion that does not exist is refused.
 */
#pragma D option quiet

BEGIN
{
	printf("%q\n", 1);
}
