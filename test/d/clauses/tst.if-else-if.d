/*
 * else may be followed by another if.
 */
#pragma D option quiet

BEGIN
{
	x = 2;
	if (x == 1) {
		printf("one\n");
	} else if (x == 2) {
		printf("two\n");
	} else if (x == 3) {
		printf("three\n");
	} else {
		printf("many\n");
	}
	exit(0);
}
