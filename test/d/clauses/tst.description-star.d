/*
 * * stands for any characters.
 */
#pragma D option quiet

dtrace:::BEG*
{
	printf("a");
}

*:::B*G*N
{
	printf("b");
}

d*e:*:*:BEGIN
{
	printf("c\n");
	exit(0);
}
