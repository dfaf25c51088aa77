/*
 * The output of what stands before, in and after if comes in order.
 */
#pragma D option quiet

BEGIN
{
	printf("1");
	if (pid) {
		printf("2");
	} else {
		printf("never");
	}
	printf("3");
	if (!pid) {
		printf("never");
	} else {
		printf("4");
	}
	printf("5\n");
	exit(0);
}
