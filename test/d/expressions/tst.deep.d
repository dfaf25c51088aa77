/*
 * Deep expressions need no more than they can have.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	printf("%d\n", ((((((((((x + 1) * 2) + (x + 2)) * 2) + ((x + 3) * (x + 4))) + (((x + 5) * 2) - 1)) * 3) -
	    ((x * 2) + ((x * 3) + ((x * 4) + ((x * 5) + ((x * 6) + (x * 7)))))))) + 1) - x);
	exit(0);
}
