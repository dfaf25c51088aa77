/*
 * sizeof (string) follows strsize.
 */
#pragma D option quiet

#pragma D option strsize=77

BEGIN
{
	printf("%d\n", sizeof (string));
	exit(0);
}
