/*
 * A cast to a narrower signed type keeps the low bits and extends the sign.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", (char)200, (int8_t)-129, (short)65535, (int)0xffffffff);
	exit(0);
}
