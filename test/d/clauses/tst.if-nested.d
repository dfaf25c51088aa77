/*
 * if may stand inside if.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	y = 0;
	if (x) {
		if (y) {
			printf("both\n");
		} else {
			printf("x\n");
		}
		printf("after\n");
	}
	exit(0);
}
