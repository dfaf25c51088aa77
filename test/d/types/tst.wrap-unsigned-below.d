/*
 * An unsigned int goes from 0 to its largest value.
 */
#pragma D option quiet

unsigned int u;

BEGIN
{
	u = 0;
	u--;
	printf("%u\n", u);
	exit(0);
}
