/*
 * if skips its statements when the condition is 0.
 */
#pragma D option quiet

BEGIN
{
	x = 0;
	if (x) {
		printf("never\n");
	}
	printf("after\n");
	exit(0);
}
