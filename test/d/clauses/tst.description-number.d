/*
 * A probe may be named by its number.
 */
#pragma D option quiet

1
{
	printf("%s\n", probename);
	exit(0);
}
