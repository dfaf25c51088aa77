/*
 * lltostr() of a negative number in base 16 writes its 64 bits.
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", lltostr(-1, 16));
	exit(0);
}
