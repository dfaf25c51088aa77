/*
 * A shift of an int is done in 64 bits, by the compiler and by the engine.
 */
#pragma D option quiet

BEGIN
{
	one = 1;
	printf("%d %d\n", (1 << 40) >> 38, (one << 40) >> 38);
	exit(0);
}
