/*
 * A # alone on its line is nothing.
 */
#pragma D option quiet

#
BEGIN
{
	printf("ran\n");
	exit(0);
}
