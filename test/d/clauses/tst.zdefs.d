/*
 * With the option zdefs a description may match nothing.
 */
/* @@opts: -Z */
#pragma D option quiet

dtrace:::NOSUCH
{
	printf("never\n");
}

BEGIN
{
	printf("ran\n");
	exit(0);
}
