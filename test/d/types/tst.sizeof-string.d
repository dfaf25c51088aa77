/*
 * A string has the size of the option strsize.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", sizeof (string));
	exit(0);
}
