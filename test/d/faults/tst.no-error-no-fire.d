/*
 * ERROR does not fire when nothing fails.
 */
#pragma D option quiet

BEGIN
{
	printf("fine\n");
	exit(0);
}

ERROR
{
	printf("never\n");
}
