/*
 * A cast to a wider type extends the sign of the narrower signed one, which cuts what is above it.
 */
#pragma D option quiet

BEGIN
{
	x = 65536;
	printf("%d %d\n", (long)(x * 32768), (long)(x * x));
	exit(0);
}
