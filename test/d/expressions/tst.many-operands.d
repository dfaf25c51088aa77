/*
 * An expression may have more live values than there are registers.
 */
#pragma D option quiet

BEGIN
{
	a = 1;
	printf("%d\n", (a + 1) * ((a + 2) * ((a + 3) * ((a + 4) * ((a + 5) * ((a + 6) * ((a + 7) * ((a + 8) * ((a + 9) *
	    (a + 10))))))))));
	exit(0);
}
