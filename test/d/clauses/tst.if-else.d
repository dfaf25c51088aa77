/*
 * else runs when if does not.
 */
#pragma D option quiet

BEGIN
{
	x = 5;
	if (x > 10) {
		printf("large\n");
	} else {
		printf("small\n");
	}
	exit(0);
}
